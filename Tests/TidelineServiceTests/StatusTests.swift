// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineOData
import TidelineStorage

@testable import TidelineService

struct StatusTests {
    @Test(arguments: ODataError.Code.allCases)
    func `each code of the protocol has a status`(code: ODataError.Code) {
        #expect(Status.isKnown(code.rawValue))
        #expect(Status.of(ODataError(code, "")).code < 502)
    }

    @Test(arguments: [
        (StorageError.Code.duplicateKey, 409, true), (.duplicateValue, 409, true), (.missingReference, 409, true),
        (.constraint, 409, true), (.nullValue, 400, true), (.unreadableValue, 500, false), (.gone, 410, true),
        (.epochChanged, 410, true), (.logRestored, 410, true), (.busy, 503, false), (.timeout, 504, false),
        (.unavailable, 503, false), (.full, 507, false),
        (.corrupt, 500, false), (.schemaChanged, 503, false), (.io, 500, false), (.unsupported, 501, true),
    ])
    func `each error of a store has a status, and decides a request or not`(
        code: StorageError.Code,
        status: Int,
        decides: Bool
    ) {
        let error = ODataError(StorageError(code, set: "Orders", properties: ["Total"], message: "SELECT secret"))
        #expect(Status.of(error).code == status)
        #expect(Status.isDecision(error) == decides)
        #expect(!error.message.contains("secret"))
    }

    @Test
    func `a code that nobody knows is an error of ours`() {
        #expect(Status.of(ODataError(code: "Nonsense", message: "")) == .internalServerError)
    }

    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    @Test func `the log tells why tables that changed are not served, for who runs the server mends it`() throws {
        let log = Log()
        let shop = try Shop(
            open: true,
            report: { id, error in
                log.lines.withLock { $0.append("\(id): \((error as? StorageError)?.message ?? "\(error)")") }
            }
        )
        try shop.sql("ALTER TABLE Orders RENAME COLUMN Title TO Remark")
        let reply = shop.get("Orders")
        #expect(reply.status == 503)
        #expect(reply.text.contains("the domain has to be published again"))
        let lines = log.lines.withLock { $0 }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.hasPrefix("schemaChanged: The tables no longer fit the model: no such column"), "\(line)")
        #expect(line.hasSuffix("Title."), "\(line)")
    }
}

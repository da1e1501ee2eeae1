// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Testing
import TidelineService
import TidelineStorage

@testable import TidelineServer

/// What the log says of what a client is told by an id, or as null.
struct ServiceReportTests {
    private func lines(_ error: any Error) -> [String] {
        let log = LogRecorder()
        let logger = Logger(label: "test", factory: { _ in LogRecorder.Handler(recorder: log) })
        ServiceReport.log("7f", error, domain: "shop", to: logger)
        return log.lines
    }

    @Test func `a failure has its id, and a store's its reason`() throws {
        let lines = lines(StorageError(.corrupt, message: "The database is damaged."))
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        for part in ["The service failed", "id=7f", "domain=shop", "The database is damaged."] {
            #expect(line.contains(part))
        }
    }

    @Test func `values that are none of their type are no failure`() throws {
        let lines = lines(UnreadableValues(property: "Orders.Quantity"))
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.contains("Values are none of their property's type, and told as null"))
        #expect(line.contains("property=Orders.Quantity") && line.contains("domain=shop"))
        #expect(!line.contains("failed"))
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import Testing
import TidelineService
import TidelineStorage

@testable import TidelineServer

/// What the log says of what a client is told by an id, or as null.
struct ServiceReportTests {
    private func lines(_ error: any Error) -> [String] {
        lines { ServiceReport.log("7f", error, domain: "shop", to: $0) }
    }

    private func lines(_ tell: (Logger) -> Void) -> [String] {
        let log = LogRecorder()
        tell(Logger(label: "test", factory: { _ in LogRecorder.Handler(recorder: log) }))
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

    @Test func `a reason names the set and the properties where there are any`() throws {
        let taken = StorageError(.duplicateValue, set: "Seats", properties: ["Row", "Number"], message: "It is taken.")
        let line = try #require(lines(taken).first)
        #expect(line.hasSuffix(" reason=duplicateValue of Seats.Row, Seats.Number: It is taken."), "\(line)")
        #expect(ServiceReport.text(StorageError(.gone, set: "Seats", message: "It went.")) == "gone of Seats: It went.")
        #expect(ServiceReport.text(StorageError(.io, message: "It fails.")) == "io: It fails.")
    }

    @Test func `of an error without a text the type is named alone`() {
        struct Silent: Error { let member = "inside" }
        let text = ServiceReport.text(Silent())
        #expect(text.contains("Silent") && !text.contains("inside"), "\(text)")
    }

    @Test func `values that are none of their type are no failure`() throws {
        let lines = lines(UnreadableValues(property: "Orders.Quantity"))
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.contains("Values are none of their property's type, and told as null"))
        #expect(line.contains("property=Orders.Quantity") && line.contains("domain=shop"))
        #expect(!line.contains("failed"))
    }

    @Test func `requests of a batch that failed are told without query and key, and the rest by its number`() {
        let failures = BatchFailures(
            parts: [
                BatchFailures.Part(
                    id: "a\nb",
                    method: .patch,
                    path: "Notes('my secret')/Body?x=y",
                    status: .conflict,
                    code: "DuplicateValue"
                ),
                BatchFailures.Part(
                    id: "2",
                    method: .get,
                    path: "http://host/odata/shop/Notes(1)",
                    status: .internalServerError,
                    code: nil
                ),
            ],
            count: 5
        )
        let lines = lines { ServiceReport.log(failures, domain: "shop", to: $0) }
        #expect(
            lines == [
                "info A request of a batch failed code=DuplicateValue domain=shop id=a?b method=PATCH "
                    + "path=Notes(…)/Body status=409",
                "warning A request of a batch failed code= domain=shop id=2 method=GET "
                    + "path=/odata/shop/Notes(…) status=500",
                "info More requests of the batch failed count=3 domain=shop",
            ]
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// `Isolation: snapshot` on a request of its own: Protocol 4.01, section 8.2.6.
struct IsolationTests {
    private static func depot() throws -> Depot {
        var limits = ServiceLimits()
        limits.pageRows = 2
        return try Depot(limits: limits)
    }

    @Test(.covers("OD-1.1.14", "OD-1.4.4"), arguments: ["Isolation", "OData-Isolation"])
    func `an answer of one moment has no pages that are read at another`(name: String) throws {
        let depot = try Self.depot()
        #expect(depot.get("Items").tree["@nextLink"] != nil)
        for path in ["Items", "Items?$expand=Children", "Items?$apply=groupby((Id))", "Items/$ref"] {
            let reply = depot.get(path, [name: "snapshot", "Prefer": "maxpagesize=1"])
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.tree["value"]?.items.count == 3 && !reply.text.contains("nextLink"), "\(reply.text)")
            #expect(reply.fields[.preferenceApplied] == nil, "\(path)")
        }
        // What later requests see is their own affair.
        #expect(depot.get("Items(1)", [name: "Snapshot"]).status == 200)
        #expect(depot.get("Items", [name: "serializable"]).code == "SnapshotUnsupported")
    }

    @Test func `the tail of a paged answer is of one moment too`() throws {
        let depot = try Self.depot()
        let next = try #require(depot.get("Items?$select=Id").tree["@nextLink"]?.text)
        let tail = depot.get(next, ["Isolation": "snapshot"])
        #expect(tail.tree["value"]?.items.compactMap { $0["Id"]?.scalar } == ["3"])
        #expect(tail.tree["@nextLink"] == nil)
    }

    @Test func `what has to be paged is refused`() throws {
        let depot = try Self.depot()
        for path in ["$all", "$crossjoin(Items,Labels)"] {
            let reply = depot.get(path, ["Isolation": "snapshot"])
            #expect(reply.status == 412 && reply.code == "SnapshotUnsupported", "\(path) \(reply.text)")
        }
        // What fits in one answer is of one moment.
        #expect(depot.get("$crossjoin(Items,Labels)?$top=2", ["Isolation": "snapshot"]).status == 200)
    }

    @Test func `a request of a batch has its own isolation`() throws {
        let depot = try Self.depot()
        let body =
            ##"{"requests":[{"id":"1","method":"get","url":"Items","headers":{"isolation":"snapshot"}},"##
            + ##"{"id":"2","method":"get","url":"Items"},"##
            + ##"{"id":"3","method":"get","url":"Items","headers":{"odata-isolation":"other"}}]}"##
        let reply = depot.send(.post, "$batch", body)
        let answers = reply.tree["responses"]?.items ?? []
        #expect(answers.map { $0["body"]?["value"]?.items.count ?? 0 } == [3, 2, 0], "\(reply.text)")
        #expect(answers.last?["status"]?.scalar == "412")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineStorage

@testable import TidelineService

/// When an entry of a device that was refused is closed, and what counts as its decision.
struct OpenConflictTests {
    private let shop: Shop

    init() throws { shop = try Shop(now: { 1_000 }) }

    private func device(_ number: Int, ifMatch etag: String) -> [String: String] {
        [
            "Repeatability-Request-ID": "01234567-89ab-8000-8000-00000000000\(number)",
            "Repeatability-Client-ID": "device-1", "Repeatability-First-Sent": "Sat, 21 Nov 2026 13:00:00 GMT",
            "If-Match": etag,
        ]
    }

    /// Gives the title another value, and refuses a device that had not seen it.
    private func refuse(_ method: HTTPRequest.Method = .patch, _ body: String = #"{"Title":"mine"}"#) {
        let etag = shop.etag("Orders(10)")
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"theirs"}"#, ["If-Match": etag]).status == 204)
        #expect(shop.send(method, "Orders(10)", body, device(1, ifMatch: etag)).status == 412)
    }

    /// A write of the device over the version that there is.
    private func write(_ number: Int, _ body: String) {
        let fields = device(number, ifMatch: shop.etag("Orders(10)"))
        #expect(shop.send(.patch, "Orders(10)", body, fields).status == 204)
    }

    /// What the log has, the newest first: the kind, what lost, what won, and whether it is open.
    private func entries() throws -> [[String]] {
        try shop.service.conflicts().map { entry in
            [entry.kind.rawValue, entry.lost ?? "-", entry.won ?? "-", entry.isOpen ? "open" : "closed"]
        }
    }

    @Test
    func `a device that gave its value up leaves an open entry, and another property it writes later is no decision`()
        throws
    {
        refuse()
        let refused = ["refused", #"{"Title":"mine"}"#, #"{"Title":"theirs"}"#]
        #expect(try entries() == [refused + ["open"]])
        write(2, #"{"Total":77}"#)
        #expect(try entries() == [refused + ["closed"]])
        // What it had been refused for is over: this is a change like another.
        write(3, #"{"Title":"later"}"#)
        #expect(try entries() == [refused + ["closed"]])
    }

    @Test func `of what a device writes, its decision is what it was refused for`() throws {
        refuse()
        write(2, #"{"Title":"mine","Total":77}"#)
        #expect(
            try entries() == [
                ["decided", #"{"Title":"theirs"}"#, #"{"Title":"mine"}"#, "closed"],
                ["refused", #"{"Title":"mine"}"#, #"{"Title":"theirs"}"#, "closed"],
            ]
        )
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "mine77")
    }

    @Test func `an accepted write that changes nothing closes the entry too`() throws {
        refuse()
        write(2, #"{"Title":"theirs"}"#)
        #expect(try entries() == [["refused", #"{"Title":"mine"}"#, #"{"Title":"theirs"}"#, "closed"]])
    }

    @Test func `who was refused a deletion decides with any property`() throws {
        refuse(.delete, "")
        let whole = #"{"OrderId":10,"Title":"theirs","Total":100,"ClientId":1}"#
        #expect(try entries() == [["refused", "-", whole, "open"]])
        write(2, #"{"Total":77}"#)
        #expect(
            try entries() == [
                ["decided", #"{"Total":100}"#, #"{"Total":77}"#, "closed"], ["refused", "-", whole, "closed"],
            ]
        )
    }

    @Test func `who decides with a deletion leaves the whole row, which can be made again`() throws {
        refuse()
        let fields = device(2, ifMatch: shop.etag("Orders(10)"))
        #expect(shop.send(.delete, "Orders(10)", "", fields).status == 204)
        let whole = #"{"OrderId":10,"Title":"theirs","Total":100,"ClientId":1}"#
        #expect(
            try entries() == [
                ["decided", whole, "-", "closed"],
                ["refused", #"{"Title":"mine"}"#, #"{"Title":"theirs"}"#, "closed"],
            ]
        )
        let entry = try #require(try shop.service.conflicts().first)
        try shop.service.restore(conflict: entry.id, at: 2_000)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "theirs100")
    }

    /// As of a row that nobody changed, whose version is another one since the model changed.
    @Test func `who was refused a deletion and deletes the row after all leaves one entry, of the row`() throws {
        refuse(.delete, "")
        let fields = device(2, ifMatch: shop.etag("Orders(10)"))
        #expect(shop.send(.delete, "Orders(10)", "", fields).status == 204)
        let whole = #"{"OrderId":10,"Title":"theirs","Total":100,"ClientId":1}"#
        #expect(try entries() == [["decided", whole, "-", "closed"]])
        let entry = try #require(try shop.service.conflicts().first)
        try shop.service.restore(conflict: entry.id, at: 2_000)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "theirs100")
    }

    // MARK: A change and a deletion of one row in a group

    /// Sends a device's group that changes the row and deletes it, each of a version or of any.
    private func send(_ number: Int, patch body: String, of first: String? = nil, deleteOf second: String? = nil)
        -> Shop.Reply
    {
        func headers(_ fields: [String: String], _ etag: String?) -> String {
            var fields = fields
            fields["If-Match"] = etag?.replacing("\"", with: "\\\"")
            return fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
        }
        let patch = headers(device(number, ifMatch: ""), first)
        let group = """
            {"requests":[
            {"id":"1","method":"PATCH","url":"Orders(10)","atomicityGroup":"g","headers":{\(patch)},"body":\(body)},
            {"id":"2","method":"DELETE","url":"Orders(10)","atomicityGroup":"g","headers":{\(headers([:], second))}}]}
            """
        return shop.send(.post, "$batch", group, ["Repeatability-Client-ID": "device-1"])
    }

    @Test func `a deletion that is refused after a change of its row leaves the row as it was before both`() throws {
        let etag = shop.etag("Orders(10)")
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"theirs"}"#, ["If-Match": etag]).status == 204)
        let reply = send(1, patch: #"{"Total":77}"#, deleteOf: etag)
        #expect(reply.status == 200 && reply.text.contains("412") && reply.text.contains("424"), "\(reply.text)")
        let whole = #"{"OrderId":10,"Title":"theirs","Total":100,"ClientId":1}"#
        #expect(try entries() == [["refused", "-", whole, "open"]])
        // Nothing of the group is done, and whatever the device writes next decides.
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "theirs100")
        write(2, #"{"Total":78}"#)
        #expect(
            try entries() == [
                ["decided", #"{"Total":100}"#, #"{"Total":78}"#, "closed"], ["refused", "-", whole, "closed"],
            ]
        )
    }

    @Test func `who decides with a change and a deletion in one group leaves the row as it was before both`() throws {
        refuse(.delete, "")
        let reply = send(2, patch: #"{"Total":77}"#, of: shop.etag("Orders(10)"))
        #expect(reply.status == 200 && !reply.text.contains("424"), "\(reply.text)")
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE OrderId = 10") == "0")
        let whole = #"{"OrderId":10,"Title":"theirs","Total":100,"ClientId":1}"#
        #expect(
            try entries() == [
                ["decided", whole, "-", "closed"], ["decided", #"{"Total":100}"#, #"{"Total":77}"#, "closed"],
            ]
        )
        // What is restored is the row that the others made.
        let entry = try #require(try shop.service.conflicts().first)
        try shop.service.restore(conflict: entry.id, at: 2_000)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "theirs100")
    }

    @Test func `a group decides in the step that writes what was refused, and only once`() throws {
        refuse()
        let etag = shop.etag("Orders(10)").replacing("\"", with: "\\\"")
        let fields = device(2, ifMatch: etag).sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
        let body = """
            {"requests":[
            {"id":"1","method":"PATCH","url":"Orders(10)","atomicityGroup":"g","headers":{\(fields.joined(separator: ","))},
             "body":{"Total":77}},
            {"id":"2","method":"PATCH","url":"Orders(10)","atomicityGroup":"g","body":{"Title":"mine"}},
            {"id":"3","method":"PATCH","url":"Orders(10)","atomicityGroup":"g","body":{"Title":"mine too"}}]}
            """
        #expect(shop.send(.post, "$batch", body, ["Repeatability-Client-ID": "device-1"]).status == 200)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "mine too77")
        #expect(
            try entries() == [
                ["decided", #"{"Title":"theirs"}"#, #"{"Title":"mine"}"#, "closed"],
                ["refused", #"{"Title":"mine"}"#, #"{"Title":"theirs"}"#, "closed"],
            ]
        )
    }

    @Test func `all entries of the row that is written are closed, however many there are, and none of another row`()
        throws
    {
        try shop.service.store.write { writer in
            for (key, count) in [("(10)", 1_001), ("(20)", 1_000)] {
                for _ in 0..<count {
                    var conflict = LoggedConflict(
                        kind: .refused,
                        set: "Orders",
                        key: key,
                        lost: #"{"Title":"mine"}"#,
                        won: nil,
                        time: 1_000
                    )
                    conflict.client = "device-1"
                    conflict.isOpen = true
                    try writer.log(conflict)
                }
            }
        }
        write(1, #"{"Title":"decided"}"#)
        let open = try shop.service.conflicts(ConflictQuery(openOf: "device-1", limit: 5_000))
        #expect(open.count == 1_000 && Set(open.map(\.key)) == ["(20)"])
        let newest = try #require(try shop.service.conflicts().first)
        #expect(newest.kind == .decided && newest.key == "(10)" && newest.lost == #"{"Title":"ten"}"#)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineStorage

@testable import TidelineService

/// What the log keeps of a row that a group of `$batch` writes more than once: what stood before the group.
struct GroupConflictTests {
    private let shop: Shop

    /// A total of 77 gives the order another title.
    init() throws {
        shop = try Shop(
            adding: """
                CREATE TRIGGER Titles AFTER UPDATE OF Total ON Orders WHEN NEW.Total = 77
                BEGIN UPDATE Orders SET Title = 'of a trigger' WHERE OrderId = NEW.OrderId; END;
                """,
            now: { 1_000 }
        )
    }

    private static let whole = #"{"OrderId":10,"Title":"ten","Total":100,"ClientId":1}"#

    /// Sends a group of requests of the order 10: a body for a change, `nil` for a deletion.
    ///
    /// - Parameter fields: the header fields of each request.
    private func send(_ bodies: [String?], _ fields: [[String: String]] = []) -> Shop.Reply {
        let requests = bodies.enumerated().map { place, body -> String in
            let own = place < fields.count ? fields[place] : [:]
            let headers = own.sorted { $0.key < $1.key }.map { name, value -> String in
                let escaped = value.replacing("\"", with: "\\\"")
                return #""\#(name)":"\#(escaped)""#
            }
            let all = headers.joined(separator: ",")
            let (method, content) = body.map { ("PATCH", #","body":\#($0)"#) } ?? ("DELETE", "")
            return """
                {"id":"\(place + 1)","method":"\(method)","url":"Orders(10)","atomicityGroup":"g",\
                "headers":{\(all)}\(content)}
                """
        }
        let all = requests.joined(separator: ",")
        var outer: [String: String] = [:]
        outer["Repeatability-Client-ID"] = fields.first?["Repeatability-Client-ID"]
        return shop.send(.post, "$batch", #"{"requests":[\#(all)]}"#, outer)
    }

    /// What the log has, the newest first: the kind, what lost and what won.
    private func entries() throws -> [[String]] {
        try shop.service.conflicts().map { [$0.kind.rawValue, $0.lost ?? "-", $0.won ?? "-"] }
    }

    private func expectDone(_ reply: Shop.Reply) {
        #expect(reply.status == 200 && !reply.text.contains("424"), "\(reply.text)")
    }

    @Test func `each write leaves what it replaced of what the group had not written`() throws {
        expectDone(send([#"{"Title":"one"}"#, #"{"Title":"two","Total":7}"#, #"{"Title":"three","Total":8}"#]))
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "three8")
        #expect(
            try entries() == [
                ["unseen", #"{"Total":100}"#, #"{"Total":7}"#], ["unseen", #"{"Title":"ten"}"#, #"{"Title":"one"}"#],
            ]
        )
    }

    @Test func `a deletion after a change leaves the row as it was before both`() throws {
        expectDone(send([#"{"Title":"one"}"#, nil]))
        #expect(
            try entries() == [["unseen", Self.whole, "-"], ["unseen", #"{"Title":"ten"}"#, #"{"Title":"one"}"#]]
        )
        let entry = try #require(try shop.service.conflicts().first)
        try shop.service.restore(conflict: entry.id, at: 2_000)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "ten100")
    }

    @Test func `who named the version before the group has seen what all of it replaces`() throws {
        expectDone(send([#"{"Title":"one"}"#, #"{"Total":7}"#, nil], [["If-Match": shop.etag("Orders(10)")]]))
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE OrderId = 10") == "0")
        #expect(try entries() == [])
    }

    @Test func `who names the version that the group made has not seen the one before`() throws {
        expectDone(send([#"{"Title":"one"}"#, #"{"Total":7}"#], [[:], ["If-Match": "$1"]]))
        #expect(
            try entries() == [
                ["unseen", #"{"Total":100}"#, #"{"Total":7}"#], ["unseen", #"{"Title":"ten"}"#, #"{"Title":"one"}"#],
            ]
        )
    }

    @Test func `each request leaves what it replaced, also where an earlier one had to wait for it`() throws {
        // The delta meets a code that the last request frees, and so is carried out after both.
        let requests = [
            ("Clients", ##"{"@context":"#$delta","value":[{"ClientId":3,"Code":"A"}]}"##),
            ("Clients(3)", #"{"Name":"mine"}"#), ("Clients(1)", #"{"Code":"Z"}"#),
        ].enumerated().map { place, request in
            """
            {"id":"\(place + 1)","method":"PATCH","url":"\(request.0)","atomicityGroup":"g","headers":{},\
            "body":\(request.1)}
            """
        }
        let reply = shop.send(.post, "$batch", #"{"requests":[\#(requests.joined(separator: ","))]}"#)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try shop.value("SELECT Name || Code FROM Clients WHERE ClientId = 3") == "mineA")
        #expect(
            try entries() == [
                ["unseen", #"{"Code":null}"#, #"{"Code":"A"}"#], ["unseen", #"{"Code":"A"}"#, #"{"Code":"Z"}"#],
                ["unseen", #"{"Name":"Cid"}"#, #"{"Name":"mine"}"#],
            ]
        )
    }

    // MARK: A trigger between

    @Test func `what a trigger made of the row between is not what others lose`() throws {
        expectDone(send([#"{"Total":77}"#, #"{"Title":"mine"}"#]))
        #expect(
            try entries() == [
                ["unseen", #"{"Title":"ten"}"#, #"{"Title":"mine"}"#], ["unseen", #"{"Total":100}"#, #"{"Total":77}"#],
            ]
        )
    }

    @Test func `what has its value of before the group again is not lost`() throws {
        expectDone(send([#"{"Total":77}"#, #"{"Title":"ten"}"#]))
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "ten77")
        #expect(try entries() == [["unseen", #"{"Total":100}"#, #"{"Total":77}"#]])
    }

    @Test func `what had its value of before the group again is lost to the next change`() throws {
        expectDone(send([#"{"Total":77}"#, #"{"Title":"ten"}"#, #"{"Title":"x"}"#]))
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "x77")
        #expect(
            try entries() == [
                ["unseen", #"{"Title":"ten"}"#, #"{"Title":"x"}"#], ["unseen", #"{"Total":100}"#, #"{"Total":77}"#],
            ]
        )
    }

    @Test(arguments: [true, false])
    func `a deletion after a change and a trigger leaves the row as it was before all`(isDevice: Bool) throws {
        var fields: [String: String] = [:]
        let kind = isDevice ? "decided" : "unseen"
        if isDevice {
            // The device was refused a deletion, and decides in the group: the entry of that makes room for this one's.
            fields = [
                "Repeatability-Request-ID": "01234567-89ab-8000-8000-000000000001",
                "Repeatability-Client-ID": "device-1", "Repeatability-First-Sent": "Sat, 21 Nov 2026 13:00:00 GMT",
                "If-Match": "W/\"AAAAAAAAAAAAAAAAAAAAAA\"",
            ]
            #expect(shop.send(.delete, "Orders(10)", "", fields).status == 412)
            #expect(try entries() == [["refused", "-", Self.whole]])
            fields["Repeatability-Request-ID"] = "01234567-89ab-8000-8000-000000000002"
            fields["If-Match"] = shop.etag("Orders(10)")
        }
        expectDone(send([#"{"Total":77}"#, nil], [fields]))
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE OrderId = 10") == "0")
        #expect(try entries() == [[kind, Self.whole, "-"], [kind, #"{"Total":100}"#, #"{"Total":77}"#]])
    }
}

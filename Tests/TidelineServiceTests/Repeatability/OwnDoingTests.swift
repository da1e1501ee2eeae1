// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// A deletion meets what the database made of the client's own transactions, as by a trigger.
struct OwnDoingTests {
    private static let date = "Sat, 21 Nov 2026 13:00:00 GMT"
    /// A client's name tells how many orders fell.
    private static let trigger = """
        CREATE TRIGGER Fewer AFTER DELETE ON Orders BEGIN
            UPDATE Clients SET Name = Name || '!' WHERE ClientId = OLD.ClientId; END;
        """

    private let shop: Shop
    private let known: String
    private let version: String

    init() throws {
        shop = try Shop(adding: Self.trigger)
        let read = shop.send(
            .post,
            "$batch",
            #"{"requests":[{"id":"1","method":"GET","url":"Clients(1)"}]}"#,
            ["Isolation": "snapshot", "Repeatability-Client-ID": "device-1"]
        )
        known = try #require(read.fields[.tidelineEventID])
        version = shop.etag("Clients(1)")
        try #require(!version.isEmpty)
    }

    /// Sends one change as the transaction of that number.
    private func send(
        _ number: Int,
        _ method: String,
        _ url: String,
        ifMatch: String? = nil,
        body: String? = nil,
        knows known: String? = nil,
        client: String = "device-1"
    ) -> String {
        let id = "01234567-89ab-8000-8000-00000000000\(number)"
        var fields = [
            #""Repeatability-Request-ID":"\#(id)""#, #""Repeatability-Client-ID":"\#(client)""#,
            #""Repeatability-First-Sent":"\#(Self.date)""#,
        ]
        if let known { fields.append(#""Tideline-Known":"\#(known)""#) }
        if let ifMatch { fields.append(#""If-Match":"\#(ifMatch.replacing("\"", with: "\\\""))""#) }
        let content = body.map { #","body":\#($0)"# } ?? ""
        let request = #"{"id":"1","method":"\#(method)","url":"\#(url)","headers":{\#(fields.joined(separator: ","))}"#
        let reply = shop.send(
            .post,
            "$batch",
            #"{"requests":[\#(request)\#(content)}]}"#,
            ["Repeatability-Client-ID": client]
        )
        return reply.text
    }

    private func clients() throws -> String? { try shop.value("SELECT group_concat(Name) FROM Clients") }

    @Test func `it goes through, whatever version it names`() throws {
        #expect(send(1, "DELETE", "Orders(10)").contains("\"status\":204"))
        #expect(try clients() == "Ann!,Ben,Cid")
        #expect(send(2, "DELETE", "Clients(1)", ifMatch: version, knows: known).contains("\"status\":204"))
        #expect(try clients() == "Ben,Cid")
    }

    @Test func `it does not where the client does not say what it knew`() throws {
        #expect(send(1, "DELETE", "Orders(10)").contains("\"status\":204"))
        #expect(send(2, "DELETE", "Clients(1)", ifMatch: version).contains("\"status\":412"))
        #expect(send(3, "DELETE", "Clients(1)", ifMatch: version, knows: "nothing").contains("\"status\":412"))
        #expect(try clients() == "Ann!,Ben,Cid")
    }

    @Test(arguments: [true, false])
    func `it does not where another changed the row, before or after`(isBefore: Bool) throws {
        let change = "UPDATE Clients SET Code = 'Z' WHERE ClientId = 1"
        if isBefore { try shop.sql(change) }
        #expect(send(1, "DELETE", "Orders(10)").contains("\"status\":204"))
        if !isBefore { try shop.sql(change) }
        #expect(send(2, "DELETE", "Clients(1)", ifMatch: version, knows: known).contains("\"status\":412"))
        #expect(try clients() == "Ann!,Ben,Cid")
    }

    @Test func `it does not for another client`() throws {
        #expect(send(1, "DELETE", "Orders(10)").contains("\"status\":204"))
        let other = send(1, "DELETE", "Clients(1)", ifMatch: version, knows: known, client: "device-2")
        #expect(other.contains("\"status\":412"))
        #expect(try clients() == "Ann!,Ben,Cid")
    }

    @Test func `an update is compared as it always was: its device joins the two`() throws {
        #expect(send(1, "DELETE", "Orders(10)").contains("\"status\":204"))
        let answer = send(2, "PATCH", "Clients(1)", ifMatch: version, body: #"{"Name":"mine"}"#, knows: known)
        #expect(answer.contains("\"status\":412"))
        #expect(try clients() == "Ann!,Ben,Cid")
    }
}

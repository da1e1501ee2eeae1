// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// Values of properties that the database has a computed default for, and keys that it makes.
struct GivenValueTests {
    private func shop() throws -> Shop {
        try Shop(
            open: true,
            adding: """
                CREATE TABLE Papers (PaperId INTEGER PRIMARY KEY, Made TEXT NOT NULL DEFAULT (lower('NOW')),
                    Code TEXT DEFAULT (lower('CODE')));
                CREATE TABLE Tickets (Id TEXT NOT NULL PRIMARY KEY DEFAULT (lower('T1')), Text TEXT);
                """
        )
    }

    private func row(_ shop: Shop, _ id: Int) throws -> String? {
        try shop.value("SELECT Made || ' ' || coalesce(Code, '-') FROM Papers WHERE PaperId = \(id)")
    }

    @Test(.covers("DA-11", "OD-1.1.11"))
    func `a value that is given stands in place of a computed default`() throws {
        let shop = try shop()
        #expect(shop.send(.post, "Papers", "{}").status == 201)
        #expect(try row(shop, 1) == "now code")
        #expect(
            shop.send(.post, "Papers", #"{"Made":"then","Code":"mine"}"#).text.contains(#""Made":"then","Code":"mine""#)
        )
        #expect(try row(shop, 2) == "then mine")
        // Some clients send null for what they do not know.
        #expect(shop.send(.post, "Papers", #"{"PaperId":null,"Made":null,"Code":null}"#).status == 201)
        #expect(try row(shop, 3) == "now code")
    }

    @Test(.covers("OD-1.1.23"))
    func `such a value can be changed, and made null where it may be`() throws {
        let shop = try shop()
        #expect(shop.send(.post, "Papers", "{}").status == 201)
        #expect(shop.send(.patch, "Papers(1)", #"{"Made":"a","Code":"b"}"#).status == 204)
        #expect(try row(shop, 1) == "a b")
        #expect(shop.send(.put, "Papers(1)/Made", #"{"value":"c"}"#).status == 204)
        #expect(shop.send(.patch, "Papers(1)", #"{"Code":null}"#).status == 204)
        #expect(try row(shop, 1) == "c -")
        #expect(shop.send(.patch, "Papers(1)", #"{"Made":null}"#).status == 400)
        // PUT leaves alone what it does not name: nobody but the database knows the default.
        #expect(shop.send(.put, "Papers(1)", #"{"Code":"d"}"#).status == 204)
        #expect(try row(shop, 1) == "c d")
    }

    @Test func `a key of text with a default may be given or left out`() throws {
        let shop = try shop()
        let made = shop.send(.post, "Tickets", #"{"Text":"a"}"#)
        #expect(made.status == 201)
        #expect(made.fields[.location]?.hasSuffix("/Tickets('t1')") == true)
        #expect(
            shop.send(.post, "Tickets", #"{"Id":"own","Text":"b"}"#).fields[.location]?.hasSuffix("('own')") == true
        )
        #expect(shop.send(.put, "Tickets('put')", #"{"Text":"c"}"#).status == 201)
        #expect(try shop.value("SELECT group_concat(Id) FROM (SELECT Id FROM Tickets ORDER BY Id)") == "own,put,t1")
    }

    @Test(.covers("DA-07"))
    func `a key that the database counts is said to be computed, and a given value does not count`() throws {
        let shop = try shop()
        let metadata = shop.get("$metadata", ["Accept": "application/json"]).text
        #expect(metadata.contains(#""PaperId":{"$Type":"Edm.Int32","@Core.Computed":true}"#))
        #expect(metadata.contains(#""Made":{"@Core.ComputedDefaultValue":true}"#))
        #expect(shop.send(.post, "Papers", #"{"PaperId":50}"#).fields[.location]?.hasSuffix("/Papers(1)") == true)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel

@testable import TidelineService

/// Filters of every form beside a policy: whatever they join and negate, they choose among the user's own rows.
struct FilterPolicyTests {
    /// A filter, and which of Alice's clients 1 and 3 it chooses.
    struct Case: Sendable, CustomTestStringConvertible {
        var filter: String
        var ids: [Int]
        var testDescription: String { filter }

        init(_ filter: String, _ ids: [Int]) {
            self.filter = filter
            self.ids = ids
        }
    }

    static let cases = [
        Case("not (Name eq 'Ann' and Code eq 'A')", [3]),
        Case("not (Name eq 'Zoe' and Code eq 'Z')", [1, 3]),
        Case("not (Name eq 'Zoe' or Code eq 'A')", [3]),
        Case("Name eq 'Ann' or Name eq 'Ben'", [1]),
        Case("Name eq 'Zoe' or true", [1, 3]),
        Case("not (Name eq 'Ann' and Code eq 'A') and Name ne 'Zoe' or Name eq 'Ben'", [3]),
        Case("Code in ('B', null)", [3]),
        Case("not (Code in ('A', null))", []),
        Case("not (Code in ('A', 'Z'))", [3]),
        Case("ClientId in (1, 2, null)", [1]),
        Case("not (not (OwnerId eq 2 or OwnerId ne 2))", [1, 3]),
        Case("Orders/any(o:not (o/Total eq 200 and o/Title eq 'x'))", [1, 3]),
        Case("not Orders/all(o:o/Total eq 200 or o/Total eq 100)", [3]),
        Case("not (Orders/$count eq 1 and Name eq 'Zoe')", [1, 3]),
    ]

    private static func encoded(_ filter: String) -> String { filter.replacing(" ", with: "%20") }

    @Test(arguments: cases)
    func `a filter chooses among the rows that its user sees`(wanted: Case) throws {
        let shop = try Shop()
        let filter = Self.encoded(wanted.filter)
        let reply = shop.get("Clients?$filter=\(filter)&$select=ClientId&$orderby=ClientId&$count=true")
        let rows = wanted.ids.map { "\"ClientId\":\($0)}" }
        #expect(reply.status == 200)
        #expect(reply.text.contains("\"@count\":\(wanted.ids.count),"), "\(reply.text)")
        #expect(reply.text.split(separator: "\"ClientId\":").count - 1 == wanted.ids.count)
        for row in rows { #expect(reply.text.contains(row), "\(reply.text)") }
        #expect(shop.get("Clients/$count?$filter=\(filter)").text == "\(wanted.ids.count)")
        #expect(shop.get("Clients/$filter(\(filter))/$count").text == "\(wanted.ids.count)")
    }

    @Test(arguments: cases)
    func `a change of each entity that a filter chooses leaves the rows of others`(wanted: Case) throws {
        let shop = try Shop()
        let filter = Self.encoded(wanted.filter)
        #expect(shop.send(.patch, "Clients/$filter(\(filter))/$each", #"{"Name":"x"}"#).status < 300)
        let changed = try shop.value("SELECT group_concat(ClientId) FROM Clients WHERE Name = 'x'")
        #expect(changed == (wanted.ids.isEmpty ? nil : wanted.ids.map(String.init).joined(separator: ",")))
        #expect(shop.send(.delete, "Clients/$filter(\(filter.replacing("Name", with: "Code")))/$each").status == 204)
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 2") == "Ben")
    }

    @Test
    func `the first part of a key stands for no entities`() throws {
        let tables = """
            CREATE TABLE Pages (OwnerId INTEGER NOT NULL, Name TEXT NOT NULL, PRIMARY KEY (OwnerId, Name));
            INSERT INTO Pages VALUES (1, 'one'), (1, 'two'), (3, 'other');
            """
        let shop = try Shop(open: true, adding: tables)
        #expect(shop.get("Pages/3/other").status == 200)
        for path in ["Pages/3", "Pages/3/$count", "Pages/3/$ref", "Pages/3/$filter(true)"] {
            #expect(shop.get(path).status == 404, "\(path)")
        }
        #expect(shop.send(.delete, "Pages/3/$each").status == 404)
        #expect(shop.send(.patch, "Pages/3", #"{"value":[]}"#).status == 404)
        #expect(try shop.value("SELECT count(*) FROM Pages") == "3")
    }

    @Test
    func `a computed property that stands for an endless expression is refused`() throws {
        let shop = try Shop()
        let items = (1...40).map { "N\($0 - 1)%20add%20N\($0 - 1)%20as%20N\($0)" }.joined(separator: ",")
        let reply = shop.get("Orders?$compute=Total%20as%20N0,\(items)")
        #expect(reply.status == 400 && Shop.code(reply) == "TooComplex")
        #expect(
            shop.get("Orders?$compute=Total%20add%201%20as%20N,N%20add%20N%20as%20M&$filter=M%20gt%200").status == 200
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// `Prefer: omit-values`: Protocol 4.01, section 8.2.8.6.
struct OmittedValueTests {
    private static let tables = """
        CREATE TABLE Gauges (Id INTEGER NOT NULL PRIMARY KEY, Level INTEGER DEFAULT 5, Label TEXT DEFAULT 'new',
            Price DECIMAL(10,2) DEFAULT 1.5, Note TEXT, IsOn BOOLEAN NOT NULL DEFAULT 0, ParentId INTEGER REFERENCES Gauges(Id));
        INSERT INTO Gauges VALUES (1, 5, 'new', 1.50, NULL, 0, NULL), (2, NULL, 'used', 2, 'n', 1, 1);
        """

    private static func shop() throws -> Shop { try Shop(open: true, adding: tables) }

    /// The body without its context and its ETags.
    private func members(_ reply: Shop.Reply) -> String {
        let text = reply.text.withoutETags.replacing(##""@etag":"W/\"\"","##, with: "")
        guard let start = text.firstRange(of: ##""@context":""##),
            let end = text[start.upperBound...].firstRange(of: "\",")
        else { return text }
        return String(text[..<start.lowerBound] + text[end.upperBound...])
    }

    @Test(
        arguments: [
            ("Gauges(1)", "omit-values=defaults", ##"{"Id":1}"##),
            ("Gauges(1)", "omit-values=nulls", ##"{"Id":1,"Level":5,"Label":"new","Price":1.5,"IsOn":false}"##),
            // A null that is not the default stays.
            (
                "Gauges(2)", "omit-values=defaults",
                ##"{"Id":2,"Level":null,"Label":"used","Price":2,"Note":"n","IsOn":true,"ParentId":1}"##
            ),
            (
                "Gauges(2)", "omit-values=nulls",
                ##"{"Id":2,"Label":"used","Price":2,"Note":"n","IsOn":true,"ParentId":1}"##
            ),
            (
                "Gauges(2)?$select=Level,Note&$expand=Parent($select=Level,Note)", "omit-values=defaults",
                ##"{"Id":2,"Level":null,"Note":"n","Parent":{"Id":1}}"##
            ),
            // A value that is asked for by itself is there.
            ("Gauges(1)/Level", "omit-values=defaults", ##"{"value":5}"##),
        ]
    )
    func `what equals its default is left out, and null where that is the default`(
        path: String,
        prefer: String,
        body: String
    ) throws {
        let reply = try Self.shop().get(path, ["Prefer": prefer])
        #expect(reply.fields[.preferenceApplied] == prefer)
        #expect(members(reply).replacing("\"Price\":1.50", with: "\"Price\":1.5") == body, "\(reply.text)")
    }

    @Test func `the key is told, whatever its default is`() throws {
        let shop = try Shop(
            open: true,
            adding:
                "CREATE TABLE Spots (Row INTEGER NOT NULL DEFAULT 1, Seat INTEGER NOT NULL, PRIMARY KEY (Row, Seat)); "
                + "INSERT INTO Spots VALUES (1, 7);"
        )
        let reply = shop.get("Spots", ["Prefer": "omit-values=defaults"])
        #expect(members(reply) == ##"{"value":[{"Row":1,"Seat":7}]}"##, "\(reply.text)")
    }

    @Test func `an insert tells what is not the default, and a change tells everything`() throws {
        let shop = try Self.shop()
        let made = shop.send(.post, "Gauges", ##"{"Id":3,"Level":null}"##, ["Prefer": "omit-values=nulls"])
        #expect(made.status == 201 && made.fields[.preferenceApplied] == "omit-values=nulls", "\(made.text)")
        #expect(made.text.contains(##""Level":null"##) && !made.text.contains("Note"), "\(made.text)")
        let other = shop.send(.post, "Gauges", ##"{"Id":4,"Level":null}"##, ["Prefer": "omit-values=defaults"])
        #expect(members(other) == ##"{"Id":4,"Level":null}"##, "\(other.text)")
        let changed = shop.send(
            .patch,
            "Gauges(2)",
            ##"{"Note":null,"Level":5}"##,
            ["Prefer": "return=representation, omit-values=defaults"]
        )
        #expect(changed.fields[.preferenceApplied] == "return=representation")
        #expect(changed.text.contains(##""Level":5"##) && changed.text.contains(##""Note":null"##), "\(changed.text)")
    }

    @Test func `a delta tells what became null or its default`() throws {
        let shop = try Self.shop()
        let link = try #require(shop.get("Gauges", ["Prefer": "track-changes, omit-values=defaults"]).link("deltaLink"))
        #expect(shop.send(.patch, "Gauges(2)", ##"{"Note":null,"Level":5}"##).status == 204)
        let delta = shop.get(link, ["Prefer": "omit-values=defaults"])
        #expect(delta.fields[.preferenceApplied] == nil)
        #expect(delta.text.contains(##""Level":5"##) && delta.text.contains(##""Note":null"##), "\(delta.text)")
    }

    @Test func `v2 leaves nothing out`() throws {
        let reply = try Self.shop().get(
            "v2/Gauges(1)?$format=json",
            ["Prefer": "omit-values=defaults", "OData-MaxVersion": ""]
        )
        #expect(reply.text.contains("\"Note\":null") && reply.text.contains("\"Label\":\"new\""), "\(reply.text)")
    }
}

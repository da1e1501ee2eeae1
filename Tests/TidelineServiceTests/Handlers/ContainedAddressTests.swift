// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// Contained entities have no set of their own: each address that an answer names has to lead to what it names.
struct ContainedAddressTests {
    /// Bells hang on bikes alone and have keys of their own, a main part stands alone, and notes are about parts.
    private func gallery() throws -> Gallery {
        let sql = """
            CREATE TABLE Bells (BellId INTEGER PRIMARY KEY, ItemId INTEGER NOT NULL REFERENCES Items(Id), Tone TEXT);
            CREATE TABLE Mains (ItemId INTEGER PRIMARY KEY REFERENCES Items(Id), Title TEXT);
            CREATE TABLE Notes (NoteId INTEGER PRIMARY KEY, ItemId INTEGER, No INTEGER,
                FOREIGN KEY (ItemId, No) REFERENCES Parts (ItemId, No));
            INSERT INTO Bells VALUES (5, 2, 'high');
            INSERT INTO Mains VALUES (2, 'engine');
            INSERT INTO Notes VALUES (7, 1, 2);
            """
        return try Gallery(adding: sql) { model in
            func property(_ name: String, _ type: PrimitiveType, isNullable: Bool = false) -> Property {
                Property(names: Names(wire: name), type: type, isNullable: isNullable)
            }
            func contained(_ name: String, _ type: EntityType) -> EntitySet {
                var set = EntitySet(names: Names(wire: name), type: type)
                set.isContained = true
                return set
            }
            func way(
                _ name: String,
                _ target: String,
                _ constraints: [(Int, Int)],
                isCollection: Bool
            ) -> NavigationProperty {
                var way = NavigationProperty(
                    names: Names(wire: name),
                    targetSet: target,
                    isCollection: isCollection,
                    isDependent: false,
                    constraints: constraints.map { .init(source: $0.0, target: $0.1) }
                )
                way.isContainment = true
                return way
            }
            let bells = EntityType(
                names: Names(wire: "Bell"),
                properties: [property("BellId", .int32), property("ItemId", .int32), property("Tone", .string)],
                key: [0]
            )
            let mains = EntityType(
                names: Names(wire: "Main"),
                properties: [property("ItemId", .int32), property("Title", .string)],
                key: [0]
            )
            var about = way("Part", "Parts", [(1, 0), (2, 1)], isCollection: false)
            (about.isContainment, about.isDependent) = (false, true)
            let notes = EntityType(
                names: Names(wire: "Note"),
                properties: [
                    property("NoteId", .int32), property("ItemId", .int32, isNullable: true),
                    property("No", .int32, isNullable: true),
                ],
                key: [0],
                navigationProperties: [about]
            )
            var sets = model.sets
            var rings = way("Bells", "Bells", [(0, 1)], isCollection: true)
            rings.declaringType = "Bike"
            sets[0].type.navigationProperties += [rings, way("Main", "Mains", [(0, 0)], isCollection: false)]
            sets += [
                contained("Bells", bells), contained("Mains", mains),
                EntitySet(names: Names(wire: "Notes"), type: notes),
            ]
            model = model.replacing(sets: sets)
        }
    }

    private static let terms = ["id", "editLink", "readLink", "navigationLink", "associationLink"]

    /// The addresses that an answer names, relative to the service root.
    private func addresses(_ value: JSONTree) -> [String] {
        switch value {
        case .list(let items): return items.flatMap(addresses)
        case .object(let members):
            let isRemoved = members.contains { name, value in
                name.hasSuffix("removed") || value.text?.hasSuffix("$deletedEntity") == true
            }
            return members.flatMap { name, value -> [String] in
                let term = name.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
                let bare = term.hasPrefix("odata.") ? String(term.dropFirst(6)) : term
                let isAddress =
                    name.contains("@") && Self.terms.contains(bare)
                    || ["source", "target"].contains(name) && members.contains { $0.0 == "relationship" }
                if isAddress, !isRemoved, let text = value.text { return [text] }
                return addresses(value)
            }
        default: return []
        }
    }

    private static let requests = [
        "Items(1)/Parts", "Items(1)/Parts(2)", "Items(1)/Parts/$ref", "Items(1)/Parts(2)/$ref", "Items/1/Parts/$ref",
        "Items?$expand=Parts", "Items?$expand=Parts/$ref", "Items(1)/Parts?$apply=filter(No gt 1)",
        "Items(1)/Parts?$orderby=Title desc",
        "Items(2)/Main", "Items(2)/Main/$ref", "Items?$expand=Main", "Items?$expand=Main/$ref",
        "Items(2)/Art.Bike/Bells", "Items(2)/Art.Bike/Bells/$ref", "Items(2)/Art.Bike/Bells(5)/$ref",
        "Items(2)/Art.Bike/Bells(5)", "Items/Art.Bike?$expand=Bells", "Items?$expand=Art.Bike/Bells",
        "Notes(7)/Part", "Notes(7)/Part/$ref", "Notes?$expand=Part", "Notes?$expand=Part/$ref", "Best/Parts",
        "Best/Parts/$ref", "Best?$expand=Parts", "Items", "$entity?$id=Items(1)/Parts(2)",
        "ItemLabels?$expand=Item($expand=Parts)",
    ]

    @Test(arguments: requests, ["4.0", "4.01"])
    func `each address that an answer names leads there`(path: String, version: String) throws {
        let gallery = try gallery()
        let headers = ["Accept": "application/json;metadata=full", "OData-MaxVersion": version]
        let reply = gallery.get(path, headers)
        try #require(reply.status == 200, "\(path): \(reply.text)")
        let named = Set(addresses(try JSONTree.read(Array(reply.text.utf8))))
        #expect(!named.isEmpty, "\(reply.text)")
        for address in named.sorted() {
            let found = gallery.get(address.replacing("/odata/art/", with: ""), ["OData-MaxVersion": version])
            #expect(found.status == 200 || found.status == 204, "\(path) names \(address): \(found.text)")
        }
    }

    @Test func `an entity is named by the address of its place`() throws {
        let gallery = try gallery()
        #expect(gallery.data("Items(1)/Parts(2)/$ref") == #"{"@id":"Items(1)/Parts(ItemId=1,No=2)"}"#)
        #expect(
            gallery.data("Items(1)/Parts/$ref")
                == ##"{"value":[{"@id":"Items(1)/Parts(ItemId=1,No=1)"},{"@id":"Items(1)/Parts(ItemId=1,No=2)"}]}"##
        )
        #expect(gallery.data("Items(2)/Main/$ref") == #"{"@id":"Items(2)/Main"}"#)
        #expect(gallery.context("Items(2)/Main") == "Items(2)/Main/$entity")
        #expect(gallery.data("Items(2)/Art.Bike/Bells(5)/$ref") == #"{"@id":"Items(2)/Art.Bike/Bells(5)"}"#)
    }

    @Test(arguments: ["4.0", "4.01"])
    func `deltas name contained entities by the addresses of their places`(version: String) throws {
        let gallery = try gallery()
        let headers = ["Prefer": "odata.track-changes", "OData-MaxVersion": version]
        let full = ["Accept": "application/json;odata.metadata=full", "OData-MaxVersion": version]
        let paths = [
            "Items?$expand=Parts,Main,Art.Bike/Bells", "Items(1)/Parts", "Notes?$expand=Part",
            "Items(2)/Art.Bike/Bells",
        ]
        for path in paths {
            let text = gallery.get(path, headers).text
            let start = try #require(text.firstRange(of: "deltaLink\":\"")?.upperBound, "\(path): \(text)")
            let link = String(text[start...].prefix { $0 != "\"" })
            let json = ["Content-Type": "application/json"]
            for part in ["Items(1)/Parts(2)", "Items(2)/Main"] {
                #expect(gallery.send(.patch, part, json, body: #"{"Title":"\#(path)"}"#).status == 204)
            }
            let bell = "Items(2)/Art.Bike/Bells(5)"
            #expect(gallery.send(.patch, bell, json, body: #"{"Tone":"\#(path)"}"#).status == 204)
            let delta = gallery.get(link, full)
            try #require(delta.status == 200, "\(path): \(delta.text)")
            let named = Set(addresses(try JSONTree.read(Array(delta.text.utf8))))
            #expect(!named.isEmpty, "\(delta.text)")
            for address in named.sorted() {
                let found = gallery.get(address.replacing("/odata/art/", with: ""), ["OData-MaxVersion": version])
                #expect(found.status == 200 || found.status == 204, "\(path) names \(address): \(found.text)")
            }
        }
    }

    @Test func `a contained entity that is gone is named by the address that it had`() throws {
        let gallery = try gallery()
        let text = gallery.get("Items(1)/Parts", ["Prefer": "odata.track-changes", "OData-MaxVersion": "4.0"]).text
        let start = try #require(text.firstRange(of: "deltaLink\":\"")?.upperBound)
        let link = String(text[start...].prefix { $0 != "\"" })
        #expect(gallery.send(.delete, "Items(1)/Parts(1)").status == 204)
        let delta = gallery.get(link, ["OData-MaxVersion": "4.0"]).text
        #expect(
            delta.contains(
                ##"{"@odata.context":"#Items(1)/Parts/$deletedEntity","id":"Items(1)/Parts(ItemId=1,No=1)","reason":"deleted"}"##
            ),
            "\(delta)"
        )
    }

    @Test func `what a batch makes inside of what it made has the address of its place`() throws {
        let gallery = try gallery()
        let body = ##"""
            {"requests":[
              {"id":"1","atomicityGroup":"g","method":"post","url":"Items","body":{"Id":9,"Name":"n","Kind":"thing"}},
              {"id":"2","atomicityGroup":"g","method":"post","url":"$1/Parts","body":{"No":1,"Title":"a"}},
              {"id":"3","atomicityGroup":"g","method":"patch","url":"$2","headers":{"Prefer":"return=representation"},
               "body":{"Title":"b"}},
              {"id":"4","dependsOn":["g"],"method":"get","url":"$2","headers":{"Accept":"application/json;metadata=full"}},
              {"id":"5","dependsOn":["g"],"method":"get","url":"$2/$ref"},
              {"id":"6","dependsOn":["g"],"method":"post","url":"$1/Parts","headers":{"Prefer":"return=minimal"},
               "body":{"No":2}},
              {"id":"7","dependsOn":["6"],"method":"get","url":"$6/Title"}]}
            """##
        let reply = gallery.send(.post, "$batch", ["Content-Type": "application/json"], body: body)
        let list = try JSONTree.read(Array(reply.text.utf8))["responses"]?.items ?? []
        try #require(list.count == 7, "\(reply.text)")
        let address = "Items(9)/Parts(ItemId=9,No=1)"
        #expect(list[1]["headers"]?["location"]?.text == "/odata/art/\(address)", "\(reply.text)")
        #expect(list[1]["body"]?["@context"]?.text == "/odata/art/$metadata#Items(9)/Parts/$entity")
        #expect(list[2]["body"]?["@context"]?.text == "/odata/art/$metadata#Items(9)/Parts/$entity", "\(reply.text)")
        #expect(list[3]["body"]?["@id"]?.text == address)
        #expect(list[3]["body"]?["@editLink"]?.text == address)
        #expect(list[4]["body"]?["@id"]?.text == address)
        let second = list[5]["headers"]?["odata-entityid"]?.text
        #expect(second == "/odata/art/Items(9)/Parts(ItemId=9,No=2)", "\(reply.text)")
        #expect(list[6]["status"]?.scalar == "204", "\(reply.text)")
        #expect(gallery.get(address).status == 200)
    }

    @Test func `what changes contained entities together names them by the addresses of their places`() throws {
        let gallery = try gallery()
        let headers = [
            "Content-Type": "application/json", "Accept": "application/json;metadata=full",
            "Prefer": "return=representation",
        ]
        let each = gallery.send(.patch, "Items(1)/Parts/$each", headers, body: #"{"Title":"x"}"#).text
        #expect(each.contains(#""@id":"Items(1)/Parts(ItemId=1,No=2)""#), "\(each)")
    }

    @Test(arguments: ["Items/Art.Bike?$expand=Bells", "Items?$expand=Art.Bike/Bells&$filter=Id eq 2"])
    func `the next link of what a derived type has leads to the rest`(query: String) throws {
        let gallery = try gallery()
        let page = ["Prefer": "maxpagesize=1"]
        for tone in ["low", "deep"] {
            let body = #"{"BellId":\#(tone.count),"Tone":"\#(tone)"}"#
            let reply = gallery.send(.post, "Items(2)/Art.Bike/Bells", ["Content-Type": "application/json"], body: body)
            try #require(reply.status == 201, "\(reply.text)")
        }
        let first = gallery.get(query.replacing(" ", with: "%20"), page)
        let tree = try JSONTree.read(Array(first.text.utf8))
        let bike = try #require(tree["value"]?.items.first, "\(first.text)")
        var ids = bike["Bells"]?.items.map { $0["BellId"]?.scalar } ?? []
        var next = bike["Bells@nextLink"]?.text
        while let link = next, ids.count < 5 {
            let reply = gallery.get(link.replacing("/odata/art/", with: ""), page)
            try #require(reply.status == 200, "\(link) \(reply.text)")
            let tree = try JSONTree.read(Array(reply.text.utf8))
            ids += tree["value"]?.items.map { $0["BellId"]?.scalar } ?? []
            next = tree["@nextLink"]?.text
        }
        #expect(ids == ["3", "4", "5"])
    }
}

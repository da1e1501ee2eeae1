// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// Properties that an open type does not declare: chosen, and under an address of their own.
struct OpenTypeTests {
    private func gallery() throws -> Gallery {
        let gallery = try Gallery()
        let body = #"{"Size":3,"Made":"2024-01-01","Made@type":"Date","Box":{"W":1},"List":[1,2]}"#
        let reply = gallery.send(.patch, "Items(3)", ["Content-Type": "application/json"], body: body)
        #expect(reply.status == 204)
        return gallery
    }

    @Test(.covers("OD-1.2.3"))
    func `a selection has the dynamic properties that it names, and no others`() throws {
        let gallery = try gallery()
        #expect(gallery.data("Items(3)?$select=Size") == #"{"Id":3,"Size":3}"#)
        #expect(gallery.context("Items(3)?$select=Size") == "Items(Id,Size)/$entity")
        #expect(gallery.data("Items(3)?$select=Nothing") == #"{"Id":3}"#)
        #expect(
            gallery.data("Items(3)?$select=Name,Made")
                == #"{"Id":3,"Name":"Leaf","Made@type":"Date","Made":"2024-01-01"}"#
        )
        #expect(
            gallery.data("Items(2)?$select=Id&$expand=Children($select=Size,Box)")
                == ##"{"@type":"#Art.Bike","Id":2,"Children":[{"Id":3,"Size":3,"Box":{"W":1}}]}"##
        )
    }

    @Test func `where the column takes no null, an entity without dynamic properties has none`() throws {
        let shop = try Shop(
            open: true,
            adding: "CREATE TABLE Things (Id INT NOT NULL PRIMARY KEY, More TEXT NOT NULL CHECK (json_valid(More)));",
            shaping: { sets in
                for place in sets.indices where sets[place].names.wire == "Things" {
                    sets[place].type.properties[1].structure = .dynamic
                }
            }
        )
        #expect(shop.send(.post, "Things", #"{"Id":1}"#).status == 201)
        #expect(shop.send(.post, "Things", #"{"Id":2,"Size":3}"#).status == 201)
        #expect(shop.send(.put, "Things(2)", "{}").status == 204)
        #expect(try shop.value("SELECT group_concat(Id || More) FROM Things") == "1{},2{}")
    }

    @Test func `a dynamic property has an address, and a raw value where it is single`() throws {
        let gallery = try gallery()
        #expect(gallery.data("Items(3)/Size") == #"{"value":3}"#)
        #expect(gallery.context("Items(3)/Size") == "Items(3)/Size")
        #expect(gallery.get("Items(3)/Size/$value").text == "3")
        #expect(gallery.data("Items(3)/Box") == #"{"W":1}"#)
        #expect(gallery.data("Items(3)/List") == #"{"value":[1,2]}"#)
        #expect(gallery.get("Items(3)/Box/$value").status == 405)
        #expect(gallery.get("Items(3)/Nothing").status == 404)
        #expect(gallery.get("Labels(1)/Nothing").status == 404)
    }

    @Test func `PUT and DELETE of a dynamic property change it alone`() throws {
        let gallery = try gallery()
        let json = ["Content-Type": "application/json"]
        #expect(gallery.send(.put, "Items(3)/Size", json, body: #"{"value":4}"#).status == 204)
        #expect(gallery.send(.put, "Items(3)/Box", json, body: #"{"value":{"H":2}}"#).status == 204)
        #expect(gallery.send(.put, "Items(3)/New", json, body: #"{"value":"n"}"#).status == 204)
        #expect(gallery.send(.delete, "Items(3)/Made").status == 204)
        #expect(
            gallery.data("Items(3)?$select=Size,Box,New,Made,List")
                == #"{"Id":3,"Size":4,"Box":{"H":2},"List":[1,2],"New":"n"}"#
        )
        #expect(gallery.send(.put, "Items(3)/Size", json, body: "{}").status == 400)
        #expect(gallery.send(.put, "Items(9)/Size", json, body: #"{"value":4}"#).status == 404)
        #expect(gallery.send(.put, "Labels(1)/Size", json, body: #"{"value":4}"#).status == 404)
    }

    @Test(arguments: [
        "Items?$orderby=Size", "Items?$orderby=Art.Bike/Size desc", "Items?$filter=Size gt Width",
        "Items?$compute=Size as S",
        "Items?$apply=aggregate(Size with sum as Total)", "Items?$apply=aggregate(Size with countdistinct as Sizes)",
        "Items?$apply=groupby((Size))", "Items?$apply=groupby((Size),aggregate($count as Rows))",
        "Items?$apply=compute(Size as S)", "Items?$apply=topcount(1,Size)", "Items?$apply=orderby(Size)",
        "$crossjoin(Items,Labels)?$orderby=Items/Size", "Items(2)?$expand=Children($orderby=Size)",
    ])
    func `what needs the type of a dynamic property says that nothing tells it`(path: String) throws {
        let gallery = try gallery()
        let reply = gallery.get(path)
        #expect(reply.status == 501, "\(path): \(reply.text)")
        #expect(reply.text.contains("'Size'") && reply.text.contains("cast(Size,Edm.Decimal)"), "\(reply.text)")
    }

    @Test func `with a cast, dynamic numbers are ordered, grouped and summed as numbers`() throws {
        let gallery = try gallery()
        let json = ["Content-Type": "application/json"]
        #expect(gallery.send(.patch, "Items(1)", json, body: #"{"Size":10}"#).status == 204)
        #expect(gallery.send(.patch, "Items(2)", json, body: #"{"Size":"wide"}"#).status == 204)
        #expect(
            gallery.data("Items?$orderby=cast(Size,Edm.Decimal) desc&$select=Id")
                == ##"{"value":[{"Id":1},{"Id":3},{"@type":"#Art.Bike","Id":2}]}"##
        )
        #expect(
            gallery.data("Items?$apply=aggregate(cast(Size,Edm.Decimal) with sum as Total)&$select=Total")
                == ##"{"value":[{"Total@type":"Decimal","Total":13}]}"##
        )
        #expect(gallery.data("Items?$filter=Size gt 5&$select=Id") == #"{"value":[{"Id":1}]}"#)
        #expect(
            gallery.data("Items?$filter=Size ne null&$select=Size")
                == ##"{"value":[{"Id":1,"Size":10},{"@type":"#Art.Bike","Id":2,"Size":"wide"},{"Id":3,"Size":3}]}"##
        )
    }

    // MARK: Deltas

    private static let track = ["Prefer": "track-changes"]

    private func deltaLink(_ gallery: Gallery, _ path: String, _ headers: [String: String] = [:]) throws -> String {
        let text = gallery.get(path, Self.track.merging(headers) { $1 }).text
        let start = try #require(text.firstRange(of: "deltaLink\":\"")?.upperBound, "\(text)")
        return String(text[start...].prefix { $0 != "\"" })
    }

    /// The entities of a delta, without what stands around them.
    private func changes(_ gallery: Gallery, _ link: String, _ headers: [String: String] = [:]) -> String {
        let text = gallery.data(link, headers)
        guard let start = text.firstRange(of: "\"value\":"), let end = text.firstRange(of: "],\"@") else { return text }
        return String(text[start.upperBound...end.lowerBound])
    }

    @Test func `a delta tells null for each dynamic property that is gone`() throws {
        let gallery = try gallery()
        let all = try deltaLink(gallery, "Items?$filter=Id eq 3")
        let chosen = try deltaLink(gallery, "Items?$filter=Id eq 3&$select=Size,Width")
        let other = try deltaLink(gallery, "Items?$filter=Id eq 3&$select=Name")
        let json = ["Content-Type": "application/json"]
        #expect(gallery.send(.delete, "Items(3)/Made").status == 204)
        #expect(gallery.send(.patch, "Items(3)", json, body: #"{"Size":null,"New":1}"#).status == 204)
        let told = changes(gallery, all)
        #expect(told.contains(##""Box":{"W":1},"List":[1,2],"New":1,"Made":null,"Size":null,"Place""##), "\(told)")
        #expect(changes(gallery, chosen) == #"[{"Id":3,"Size":null,"Width":null}]"#)
        #expect(changes(gallery, other) == #"[{"Id":3,"Name":"Leaf"}]"#)
        // What came again meanwhile is told with its value, and what the client never saw not at all.
        #expect(gallery.send(.patch, "Items(3)", json, body: #"{"Size":7,"New":null}"#).status == 204)
        let later = changes(gallery, all)
        #expect(later.contains(##""List":[1,2],"Size":7,"Made":null,"Place""##), "\(later)")
    }

    @Test func `where the log has no properties, a delta tells the entity as gone and then as it is`() throws {
        let gallery = try gallery()
        let json = ["Content-Type": "application/json"]
        let long = String(repeating: "x", count: 300)
        #expect(gallery.send(.patch, "Items(3)", json, body: #"{"Note":"\#(long)"}"#).status == 204)
        let link = try deltaLink(gallery, "Items?$filter=Id eq 3")
        #expect(gallery.send(.patch, "Items(3)", json, body: #"{"Note":null,"Size":null,"Made":null}"#).status == 204)
        let told = changes(gallery, link)
        #expect(told.hasPrefix(##"[{"@removed":{"reason":"changed"},"@id":"Items(3)","Id":3},{"Id":3,"##), "\(told)")
        #expect(told.contains(##""Box":{"W":1},"List":[1,2],"Place""##), "\(told)")
        #expect(!told.contains("Size") && !told.contains("Note"), "\(told)")
    }

    @Test func `the names of what the client could not see are not told`() throws {
        let gallery = try gallery()
        let json = ["Content-Type": "application/json"]
        #expect(gallery.send(.patch, "Items(3)", json, body: #"{"Hidden":1}"#).status == 204)
        let link = try deltaLink(gallery, "Items?$filter=Name eq 'Twig'")
        #expect(gallery.send(.patch, "Items(3)", json, body: #"{"Hidden":null,"Name":"Twig"}"#).status == 204)
        let told = changes(gallery, link)
        #expect(told.contains("Twig") && !told.contains("Hidden"), "\(told)")
    }

    @Test func `a property that is null where it stands is told once`() {
        var members = FormerMembers()
        let key = Key([.integer(3)])
        members.note(key, .string(#"{"A":1,"B":null,"C":2}"#))
        #expect(members.gone(key, now: Array(#"{"A":null}"#.utf8)) == ["C"])
        #expect(members.gone(Key([.integer(4)]), now: []) == [])
    }
}

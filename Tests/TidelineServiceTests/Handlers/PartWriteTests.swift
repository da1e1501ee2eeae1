// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// Changes of what is more than a row of columns: contents, parts, singletons, shapes, items.
struct PartWriteTests {
    // MARK: Media entities

    @Test(.covers("OD-1.1.19", "OD-1.1.27"))
    func `a media entity is made of its content and its type`() throws {
        let depot = try Depot()
        let made = depot.send(.post, "Pictures", [0xFF, 0x00, 0xD8], ["Content-Type": "image/jpeg"])
        #expect(made.status == 201, "\(made.text)")
        let location = try #require(made.fields[.location])
        #expect(made.fields[.eTag] == depot.etag(location))
        #expect(made.tree["Type"]?.text == "image/jpeg")
        let content = depot.get(location + "/$value")
        #expect(content.bytes == [0xFF, 0x00, 0xD8])
        #expect(content.fields[.contentType] == "image/jpeg")
        // The rest of it is a row like another.
        #expect(depot.send(.patch, location, ##"{"Title":"Star"}"##).status == 204)
        #expect(depot.get(location + "/Title/$value").text == "Star")
        #expect(depot.get(location + "/$value").bytes == [0xFF, 0x00, 0xD8])
    }

    @Test(.covers("OD-1.2.6", "OD-1.1.26"))
    func `the content of a media entity is replaced, under its version`() throws {
        let depot = try Depot()
        let etag = depot.etag("Pictures(1)")
        let png = ["Content-Type": "image/png"]
        #expect(depot.send(.put, "Pictures(1)/$value", [1, 2], png.merging(["If-Match": etag]) { $1 }).status == 204)
        #expect(depot.get("Pictures(1)/$value").bytes == [1, 2])
        let late = depot.send(.put, "Pictures(1)/$value", [3], png.merging(["If-Match": etag]) { $1 })
        #expect(late.status == 412)
        #expect(depot.get("Pictures(1)/$value").bytes == [1, 2])
        #expect(depot.get("Pictures(1)/$value", ["If-None-Match": depot.etag("Pictures(1)")]).status == 304)
        #expect(depot.send(.put, "Pictures(2)/$value", [9], ["Content-Type": "text/plain"]).status == 204)
        #expect(depot.get("Pictures(2)/$value").fields[.contentType] == "text/plain")
        // No content is no upsert, and its deletion is that of the entity.
        #expect(depot.send(.put, "Pictures(7)/$value", [9], png).status == 404)
        #expect(depot.send(.put, "Pictures(7)", ##"{"Title":"x"}"##).status == 404)
        #expect(depot.send(.delete, "Pictures(2)/$value").status == 204)
        #expect(depot.get("Pictures(2)").status == 404)
    }

    // MARK: Containment

    @Test(.covers("OD-1.1.20", "OD-1.1.29", "OD-1.1.27"))
    func `a part is made in its whole, by POST and by its own URL`() throws {
        let depot = try Depot()
        let made = depot.send(.post, "Items(3)/Parts", ##"{"No":1,"Title":"stem"}"##)
        #expect(made.status == 201, "\(made.text)")
        #expect(made.fields[.location] == "/odata/art/Items(3)/Parts(ItemId=3,No=1)")
        #expect(made.tree["@context"]?.text == "/odata/art/$metadata#Items(3)/Parts/$entity")
        #expect(try depot.value("SELECT Title FROM Parts WHERE ItemId = 3 AND No = 1") == "stem")
        let upsert = depot.send(.put, "Items(3)/Parts(2)", ##"{"Title":"root"}"##, ["If-None-Match": "*"])
        #expect(upsert.status == 201, "\(upsert.text)")
        #expect(try depot.value("SELECT Title FROM Parts WHERE ItemId = 3 AND No = 2") == "root")
        #expect(depot.send(.put, "Items(3)/Parts(2)", ##"{"Title":"no"}"##, ["If-None-Match": "*"]).status == 412)
        #expect(depot.send(.patch, "Items(3)/Parts(2)", ##"{"Title":"roots"}"##).status == 204)
        #expect(depot.get("Items(3)/Parts(2)/Title/$value").text == "roots")
        // The whole says which one it is part of, not the body.
        #expect(depot.send(.post, "Items(3)/Parts", ##"{"No":3,"ItemId":1}"##).status == 400)
        #expect(depot.send(.post, "Items(99)/Parts", ##"{"No":1}"##).status == 404)
        #expect(depot.send(.post, "Parts", ##"{"ItemId":3,"No":9}"##).status == 404)
        #expect(depot.send(.delete, "Items(3)/Parts(1)").status == 204)
        #expect(try depot.value("SELECT count(*) FROM Parts WHERE ItemId = 3") == "1")
    }

    // MARK: Singletons

    @Test(.covers("OD-1.1.23", "OD-1.1.26"))
    func `a singleton is changed by its name, and never deleted`() throws {
        let depot = try Depot()
        let etag = depot.etag("Best")
        #expect(etag == depot.etag("Items(1)"))
        #expect(depot.send(.patch, "Best", ##"{"Name":"First"}"##, ["If-Match": etag]).status == 204)
        #expect(try depot.value("SELECT Name FROM Items WHERE Id = 1") == "First")
        #expect(depot.send(.patch, "Best", ##"{"Name":"Late"}"##, ["If-Match": etag]).status == 412)
        #expect(depot.send(.put, "Best/Name", ##"{"value":"Second"}"##).status == 204)
        #expect(depot.get("Best/Name/$value").text == "Second")
        #expect(depot.send(.patch, "Best/Address", ##"{"City":"Ulm"}"##).status == 204)
        #expect(try depot.value("SELECT Street || City FROM Items WHERE Id = 1") == "Main StUlm")
        let told = depot.send(.patch, "Best?$select=Name", ##"{"Name":"Third"}"##, ["Prefer": "return=representation"])
        #expect(told.status == 200 && told.tree["Name"]?.text == "Third")
        #expect((400..<500).contains(depot.send(.delete, "Best").status))
        #expect((400..<500).contains(depot.send(.post, "Best", ##"{"Id":8,"Name":"n","Kind":"thing"}"##).status))
        #expect(try depot.value("SELECT count(*) FROM Items") == "3")
    }

    // MARK: Shapes

    @Test(
        .covers("OD-1.8.27"),
        arguments: [
            (##"{"type":"Point","coordinates":[7.5,46.9]}"##, "SRID=4326;Point(7.5 46.9)", 204),
            (##"{"coordinates":[7.5,46.9,500],"type":"Point"}"##, "SRID=4326;Point(7.5 46.9 500)", 204),
            ("null", "-", 204),
            (##"{"type":"LineString","coordinates":[[1,2],[3,4]]}"##, nil, 400), (##"{"type":"Point"}"##, nil, 400),
            (##"{"type":"Point","coordinates":[1]}"##, nil, 400),
            (##"{"type":"Point","coordinates":["1",2]}"##, nil, 400),
            (##""POINT(1 2)""##, nil, 400), ("[1,2]", nil, 400), (##"{"type":"Blob","coordinates":[1,2]}"##, nil, 400),
        ] as [(String, String?, Int)]
    )
    func `a shape comes as GeoJSON`(json: String, stored: String?, status: Int) throws {
        for (method, path, body) in [
            (HTTPRequest.Method.patch, "Items(2)", "{\"Place\":\(json)}"),
            (.put, "Items(2)/Place", "{\"value\":\(json)}"),
        ] {
            let depot = try Depot()
            let reply = depot.send(method, path, body)
            #expect(reply.status == status, "\(body) \(reply.text)")
            if let stored {
                #expect(try depot.value("SELECT coalesce(Place, '-') FROM Items WHERE Id = 2") == stored)
            } else {
                #expect(try depot.value("SELECT Place FROM Items WHERE Id = 2") == nil)
                #expect(reply.code == "InvalidValue")
            }
        }
    }

    // MARK: Items of collections

    @Test(
        .covers("OD-1.4.23"),
        arguments: [
            ("", #"["a","b","ab","new"]"#), ("?$index=0", #"["new","a","b","ab"]"#),
            ("?$index=1", #"["a","new","b","ab"]"#),
            ("?$index=-1", #"["a","b","ab","new"]"#), ("?$index=-2", #"["a","b","new","ab"]"#),
            ("?$index=3", #"["a","b","ab","new"]"#), ("?index=0", #"["new","a","b","ab"]"#), ("?$index=4", nil),
            ("?$index=-5", nil), ("?$index=x", nil),
        ] as [(String, String?)]
    )
    func `an item is put where the index says`(query: String, expected: String?) throws {
        let depot = try Depot()
        let reply = depot.send(.post, "Items(1)/Tags\(query)", ##"{"value":"new"}"##)
        #expect(reply.status == (expected == nil ? 400 : 204), "\(reply.text)")
        #expect(try depot.value("SELECT Tags FROM Items WHERE Id = 1") == expected ?? #"["a","b","ab"]"#)
    }

    // MARK: Nulls

    @Test(.covers("OD-1.1.30", "OD-1.1.31", "OD-1.1.10"))
    func `null is a value where it may be, and an error where not`() throws {
        let depot = try Depot()
        #expect(depot.send(.put, "Items(1)/Color", ##"{"value":null}"##).status == 204)
        #expect(depot.get("Items(1)/Color").status == 204)
        #expect(depot.send(.put, "Items(1)/Name", ##"{"value":null}"##).status == 400)
        #expect(depot.send(.put, "Items(1)/Tags", ##"{"value":null}"##).status == 400)
        #expect(depot.send(.put, "Items(1)/Address/Street", ##"{"value":null}"##).status == 204)
        #expect(try depot.value("SELECT coalesce(Street, '-') || City FROM Items WHERE Id = 1") == "-Bern")
        // PUT of an entity: what it does not name has its default, which for these is null.
        #expect(depot.send(.put, "Items(1)", ##"{"Name":"Root","Kind":"thing"}"##).status == 204)
        let row = "SELECT coalesce(Color, '-') || coalesce(City, '-') || coalesce(Tags, '-') || coalesce(Place, '-')"
        #expect(try depot.value("\(row) FROM Items WHERE Id = 1") == "---" + "-")
        #expect(depot.get("Items(1)/Tags").text.contains("[]"))
        // A stream is no part of the body, so PUT leaves it.
        #expect(try depot.value("SELECT hex(Photo) FROM Items WHERE Id = 1") == "89504E47")
        #expect(depot.send(.put, "Items(1)", ##"{"Kind":"thing"}"##).status == 400)
        #expect(depot.send(.put, "Items(1)", ##"{"Name":null,"Kind":"thing"}"##).status == 400)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// `$select` inside of collections and JSON, also in `$expand`, and options and places after a property.
struct NestedSelectTests {
    /// Box 1 with everything, and box 2 inside of it with next to nothing.
    private func shop() throws -> Shop {
        func property(_ name: String, _ type: PrimitiveType, _ structure: Structure? = nil) -> Property {
            var property = Property(names: Names(wire: name), type: type)
            property.structure = structure
            return property
        }
        return try Shop(
            open: true,
            adding: """
                CREATE TABLE Boxes (Id INTEGER PRIMARY KEY, ParentId INTEGER, Name TEXT NOT NULL, Place TEXT, Lines TEXT, Tags TEXT);
                INSERT INTO Boxes VALUES
                    (1, NULL, 'one', '{"City":"Bern","Zip":3000,"Geo":{"Lat":46.9,"Long":7.4}}',
                     '[{"Product":"Tea","Quantity":2},{"Product":"Milk","Quantity":1}]', '["b","a","ab"]'),
                    (2, 1, 'two', NULL, '[]', NULL);
                """,
            shaping: { sets in
                guard let place = sets.firstIndex(where: { $0.names.wire == "Boxes" }) else { return }
                var type = sets[place].type
                func set(_ name: String, _ structure: Structure) {
                    guard let index = type.properties.firstIndex(where: { $0.names.wire == name }) else { return }
                    type.properties[index].structure = structure
                }
                set("Place", .complex("Place"))
                set("Lines", .collection(of: .complex("Line")))
                set("Tags", .collection(of: .primitive(.string)))
                let parent = type.properties.firstIndex { $0.names.wire == "ParentId" } ?? 1
                type.navigationProperties = [
                    NavigationProperty(
                        names: Names(wire: "Parent"),
                        targetSet: "Boxes",
                        isCollection: false,
                        isDependent: true,
                        constraints: [.init(source: parent, target: type.key[0])],
                        partner: "Children"
                    ),
                    NavigationProperty(
                        names: Names(wire: "Children"),
                        targetSet: "Boxes",
                        isCollection: true,
                        isDependent: false,
                        constraints: [.init(source: type.key[0], target: parent)],
                        partner: "Parent"
                    ),
                ]
                sets[place].type = type
            },
            finishing: { model in
                model.complexTypes += [
                    ComplexType(
                        names: Names(wire: "Place"),
                        properties: [
                            property("City", .string), property("Zip", .int32),
                            property("Geo", .string, .complex("Geo")),
                        ]
                    ),
                    ComplexType(
                        names: Names(wire: "Geo"),
                        properties: [property("Lat", .double), property("Long", .double)]
                    ),
                    ComplexType(
                        names: Names(wire: "Line"),
                        properties: [property("Product", .string), property("Quantity", .int32)]
                    ),
                ]
            }
        )
    }

    /// The body without ETags and the root of the service.
    private func data(_ shop: Shop, _ path: String, _ headers: [String: String] = [:]) -> String {
        let reply = shop.get(path, headers)
        guard reply.status == 200 else { return "\(reply.status) \(reply.text)" }
        return reply.text.withoutETags.replacing("\"@etag\":\"W/\\\"\\\"\",", with: "")
            .replacing("\"@odata.etag\":\"W/\\\"\\\"\",", with: "").replacing("/odata/shop/$metadata", with: "")
    }

    private func query(_ options: String) -> String {
        options.split(separator: "&").map { option in
            let parts = option.split(separator: "=", maxSplits: 1)
            return "\(parts[0])=\(PercentCoding.encode(queryValue: String(parts[1])))"
        }.joined(separator: "&")
    }

    @Test(
        .covers("OD-1.5.9", "OD-1.6.5.1"),
        arguments: [
            (
                "$select=Place($select=City)",
                ##"{"@context":"#Boxes(Id,Place/City)/$entity","Id":1,"Place":{"City":"Bern"}}"##
            ),
            (
                "$select=Place/City,Place/Geo/Lat",
                ##"{"@context":"#Boxes(Id,Place/City,Place/Geo/Lat)/$entity","Id":1,"Place":{"City":"Bern","Geo":{"Lat":46.9}}}"##
            ),
            (
                "$select=Place($select=Geo($select=Long))",
                ##"{"@context":"#Boxes(Id,Place/Geo/Long)/$entity","Id":1,"Place":{"Geo":{"Long":7.4}}}"##
            ),
            (
                "$select=Place($select=*)",
                ##"{"@context":"#Boxes(Id,Place)/$entity","Id":1,"Place":{"City":"Bern","Zip":3000,"Geo":{"Lat":46.9,"Long":7.4}}}"##
            ),
            (
                "$select=Place/City,Place",
                ##"{"@context":"#Boxes(Id,Place)/$entity","Id":1,"Place":{"City":"Bern","Zip":3000,"Geo":{"Lat":46.9,"Long":7.4}}}"##
            ),
            (
                "$select=Lines($select=Product;$filter=Quantity gt 1)",
                ##"{"@context":"#Boxes(Id,Lines/Product)/$entity","Id":1,"Lines":[{"Product":"Tea"}]}"##
            ),
            (
                "$select=Lines/Product",
                ##"{"@context":"#Boxes(Id,Lines/Product)/$entity","Id":1,"Lines":[{"Product":"Tea"},{"Product":"Milk"}]}"##
            ),
            (
                "$select=Lines($compute=Quantity add 1 as More;$select=Product,More;$orderby=More;$count=true;$top=1)",
                ##"{"@context":"#Boxes(Id,Lines/Product,Lines/More)/$entity","Id":1,"Lines@count":2,"Lines":[{"Product":"Milk","More@type":"Int64","More":2}]}"##
            ),
            (
                "$select=Lines($compute=Quantity mul 10 as Ten;$filter=Ten eq 20)",
                ##"{"@context":"#Boxes(Id,Lines)/$entity","Id":1,"Lines":[{"Product":"Tea","Quantity":2,"Ten@type":"Int64","Ten":20}]}"##
            ),
        ]
    )
    func `nested options choose inside of JSON`(_ options: String, _ expected: String) throws {
        #expect(data(try shop(), "Boxes(1)?\(query(options))") == expected)
    }

    @Test func `nested options stand in expansions too`() throws {
        let shop = try shop()
        let parent =
            "$select=Name&$expand=Parent($select=Tags($filter=contains($this,'a');$orderby=$this desc;$top=1;$count=true),Place/City)"
        #expect(
            data(shop, "Boxes(2)?\(query(parent))")
                == ##"{"@context":"#Boxes(Id,Name,Parent(Id,Tags,Place/City))/$entity","Id":2,"Name":"two","Parent":{"Id":1,"Place":{"City":"Bern"},"Tags@count":2,"Tags":["ab"]}}"##
        )
        let both = "$select=Tags($top=1)&$expand=Children($select=Name,Tags($top=2),Lines($select=Product))"
        #expect(
            data(shop, "Boxes(1)?\(query(both))")
                == ##"{"@context":"#Boxes(Id,Tags,Children(Id,Name,Tags,Lines/Product))/$entity","Id":1,"Tags":["b"],"Children":[{"Id":2,"Name":"two","Lines":[],"Tags":[]}]}"##
        )
        let old = "$select=Tags($count=true;$top=1)"
        #expect(
            data(shop, "Boxes(1)?\(query(old))", ["OData-MaxVersion": "4.0"]).hasSuffix(
                ##""Tags@odata.count":3,"Tags":["b"]}"##
            )
        )
    }

    @Test(arguments: [
        ("$select=Place($select=Nix)", 400), ("$select=Place($top=1)", 400), ("$select=Name($select=X)", 400),
        ("$select=Tags($select=X)", 400), ("$select=Lines($compute=Quantity as Product)", 400),
        ("$select=Lines($filter=$it/Name eq Product)", 501), ("$select=Lines($expand=X)", 400),
        ("$select=Place($select=City),Place($compute=Zip add 1 as Z)", 400), ("$select=Tags($top=1),Tags", 400),
        ("$select=Tags,Tags($top=1)", 400), ("$select=Lines($filter=Quantity)", 400),
        ("$select=Tags($compute=1 as X)", 400), ("$select=Place/City/Nix", 400),
        ("$select=Id&$expand=Parent($select=Place($top=1))", 400),
    ])
    func `nested options that mean nothing are refused`(_ options: String, _ status: Int) throws {
        let reply = try shop().get("Boxes(1)?\(query(options))")
        #expect(reply.status == status, "\(reply.text)")
    }

    @Test func `inside of an expansion it is the entity of the request`() throws {
        let shop = try shop()
        func children(_ filter: String) -> String {
            data(shop, "Boxes(1)?\(query("$select=Id&$expand=Children($select=Id;$filter=\(filter))"))")
        }
        let start = ##"{"@context":"#Boxes(Id,Children(Id))/$entity","Id":1,"Children":"##
        #expect(children("$it/Name eq 'one'") == start + ##"[{"Id":2}]}"##)
        #expect(children("$it/Name eq 'two'") == start + "[]}")
        #expect(children("Id gt $it/Id") == start + ##"[{"Id":2}]}"##)
        // Nothing single-valued leads back from a parent to one of its children.
        #expect(shop.get("Boxes(2)?\(query("$expand=Parent($filter=$it/Name eq 'two')"))").status == 501)
    }

    @Test func `options after a property choose in its value`() throws {
        let shop = try shop()
        let tags = query("$filter=contains($this,'a')&$orderby=$this desc&$count=true")
        #expect(
            data(shop, "Boxes(1)/Tags?\(tags)") == ##"{"@context":"#Boxes(1)/Tags","@count":2,"value":["ab","a"]}"##
        )
        #expect(shop.get("Boxes(1)/Tags/$count?\(query("$filter=contains($this,'a')"))").text == "2")
        #expect(shop.get("Boxes(1)/Tags/$count").text == "3")
        #expect(data(shop, "Boxes(1)/Place?$select=City") == ##"{"@context":"#Boxes(1)/Place","City":"Bern"}"##)
        #expect(
            data(shop, "Boxes(1)/Lines?$select=Product&$top=1")
                == ##"{"@context":"#Boxes(1)/Lines","value":[{"Product":"Tea"}]}"##
        )
        #expect(data(shop, "Boxes(2)/Tags?$top=1") == ##"{"@context":"#Boxes(2)/Tags","value":[]}"##)
        #expect(shop.get("Boxes(1)/Tags?$select=X").status == 400)
    }

    @Test func `a path goes on into JSON, by names and by places`() throws {
        let shop = try shop()
        #expect(data(shop, "Boxes(1)/Tags/0") == ##"{"@context":"#Edm.String","value":"b"}"##)
        #expect(data(shop, "Boxes(1)/Tags/-1") == ##"{"@context":"#Edm.String","value":"ab"}"##)
        #expect(shop.get("Boxes(1)/Tags/3").status == 404)
        #expect(shop.get("Boxes(1)/Tags/-4").status == 404)
        #expect(shop.get("Boxes(2)/Tags/0").status == 404)
        #expect(shop.get("Boxes(1)/Tags/0/$value").text == "b")
        #expect(data(shop, "Boxes(1)/Lines/1/Product") == ##"{"@context":"#Edm.String","value":"Milk"}"##)
        #expect(shop.get("Boxes(1)/Place/Geo/Lat/$value").text == "46.9")
        #expect(shop.get("Boxes(1)/Place/Nix").status == 404)
        #expect(shop.get("Boxes(2)/Place/City").status == 404)
        #expect(shop.get("Boxes(9)/Tags/0").status == 404)
        #expect(shop.send(.delete, "Boxes(1)/Tags/0").status >= 400)
        #expect(shop.get("Boxes(1)/Tags/$count").text == "3")
    }
}

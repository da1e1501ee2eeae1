// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct ConflictAnnotationTests {
    private var model: EntityModel {
        var type = EntityType(
            names: Names(wire: "Item"),
            properties: [
                Property(names: Names(wire: "Id"), type: .int32, isNullable: false),
                Property(names: Names(wire: "Stock"), type: .int32),
                Property(names: Names(wire: "Note"), type: .string),
                Property(names: Names(wire: "Name"), type: .string),
            ],
            key: [0]
        )
        type.conflictPolicy = .ask
        type.properties[1].conflictPolicy = ConflictPolicy(.counter, else: .ask)
        type.properties[2].conflictPolicy = ConflictPolicy(.custom("Notes"))
        return EntityModel(namespace: "Shop", sets: [EntitySet(names: Names(wire: "Items"), type: type)])
    }

    @Test func `policies travel as annotations of properties and types`() {
        let xml = String(decoding: CSDLXML.write(model), as: UTF8.self)
        #expect(xml.contains(#"<Annotation Term="Tideline.V1.Conflict" String="counter else ask"/>"#))
        #expect(xml.contains(#"<Annotation Term="Tideline.V1.Conflict" String="custom(Notes)"/>"#))
        #expect(xml.contains(#"<Annotation Term="Tideline.V1.Conflict" String="ask"/>"#))
        let json = String(decoding: CSDLJSON.write(model), as: UTF8.self)
        #expect(json.contains(#""@Tideline.V1.Conflict":"counter else ask""#))
    }

    @Test(arguments: [true, false])
    func `a device that reads the metadata has the policies`(isXML: Bool) throws {
        let bytes = isXML ? CSDLXML.write(model) : CSDLJSON.write(model)
        let (read, warnings) = try isXML ? CSDLXML.readTolerantly(bytes) : CSDLJSON.readTolerantly(bytes)
        let type = try #require(read[set: "Items"]).type
        #expect(warnings == [])
        #expect(type.conflictPolicy == .ask)
        #expect(
            type.properties.map(\.conflictPolicy) == [
                nil, ConflictPolicy(.counter, else: .ask), ConflictPolicy(.custom("Notes")), nil,
            ]
        )
    }

    @Test func `a policy of a later version is none`() throws {
        let text = String(decoding: CSDLXML.write(model), as: UTF8.self).replacing("counter else ask", with: "newest")
        let type = try #require(try CSDLXML.read(Array(text.utf8))[set: "Items"]).type
        #expect(type.properties.map(\.conflictPolicy) == [nil, nil, ConflictPolicy(.custom("Notes")), nil])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineModel

struct DescriptionTests {
    @Test func `the source of an entity is its type in the model`() throws {
        let set = Order.entitySet
        #expect(set.names.wire == "Orders")
        #expect(set.type.names.wire == "Order")
        #expect(
            set.type.properties.map(\.names.wire) == [
                "OrderId", "OrderDate", "OrderStatus", "Total", "Remark", "ClientId", "IsExpanded",
            ]
        )
        #expect(
            set.type.properties.map(\.type) == [.int32, .dateTimeOffset, .int32, .decimal, .string, .guid, .boolean]
        )
        #expect(set.type.properties.map(\.isNullable) == [false, false, false, false, true, false, false])
        #expect(set.type.key == [0])
        #expect(set.type.hasGeneratedKey)
        #expect(set.type.properties[3].precision == 12)
        #expect(set.type.properties[3].scale == 2)
        #expect(set.type.properties[6].isLocalOnly)
        #expect(set.type.properties[6].defaultValue == .boolean(false))
    }

    @Test func `a reference is a navigation property with its foreign key`() {
        let navigation = Order.entitySet.type.navigationProperties
        #expect(navigation.count == 1)
        #expect(navigation.first?.names.wire == "Client")
        #expect(navigation.first?.targetSet == "Clients")
        #expect(navigation.first?.isCollection == false)
        #expect(navigation.first?.isNullable == false)
        #expect(navigation.first?.constraints == [NavigationProperty.Constraint(source: 5, target: 0)])
        #expect(navigation.first?.onDelete == .cascade)
    }

    @Test func `an entity may refer to itself`() {
        let type = Part.entitySet.type
        #expect(type.navigationProperties.first?.targetSet == "Parts")
        #expect(type.navigationProperties.first?.isNullable == true)
        #expect(type.uniqueKeys == [[2]])
    }

    @Test func `the key of an entity is its value`() {
        #expect(Part(code: "a", label: "A").entityKey == Key([.string("a")]))
    }

    @Test func `a moment and a Foundation date are the same to the microsecond`() {
        let moment = DateTimeOffset(seconds: -1, nanoseconds: 250_000_000)
        #expect(DateTimeOffset(Date(moment)) == moment)
    }

    @Test func `a GUID and a Foundation UUID have the same bytes`() throws {
        let text = "00112233-4455-6677-8899-aabbccddeeff"
        let guid = try #require(GUID(text))
        #expect(UUID(guid).uuidString.lowercased() == text)
        #expect(GUID(UUID(guid)) == guid)
    }
}

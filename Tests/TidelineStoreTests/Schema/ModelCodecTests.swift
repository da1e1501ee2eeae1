// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import Testing

@testable import TidelineStore

struct ModelCodecTests {
    private func property(_ name: String, _ type: PrimitiveType, nullable: Bool = false) -> Property {
        Property(
            names: Names(wire: name, code: name.prefix(1).lowercased() + name.dropFirst()),
            type: type,
            isNullable: nullable
        )
    }

    /// The model whose bytes in version 2 stand below.
    private var shop: EntityModel {
        var id = property("OrderId", .int32)
        id.generation = .onInsert
        var status = property("Status", .int32)
        status.defaultValue = .integer(1)
        var total = property("Total", .decimal, nullable: true)
        (total.precision, total.scale, total.storage) = (9, 2, .decimalScaled)
        var tags = property("Tags", .string, nullable: true)
        tags.structure = .collection(of: .complex("Edm.Untyped"))
        var note = property("Note", .string, nullable: true)
        (note.isLocalOnly, note.maxLength) = (true, 40)
        let client = NavigationProperty(
            names: Names(wire: "Client", code: "client"),
            targetSet: "Clients",
            isCollection: false,
            isNullable: false,
            isDependent: true,
            constraints: [.init(source: 5, target: 0)],
            onDelete: .cascade,
            partner: "Orders"
        )
        let orders = NavigationProperty(
            names: Names(wire: "Orders", code: "orders"),
            targetSet: "Orders",
            isCollection: true,
            isDependent: false,
            constraints: [.init(source: 0, target: 5)],
            onDelete: .cascade,
            partner: "Client"
        )
        let order = EntityType(
            names: Names(wire: "Order"),
            properties: [id, status, total, tags, note, property("ClientId", .guid)],
            key: [0],
            uniqueKeys: [[1, 5]],
            navigationProperties: [client]
        )
        let owner = EntityType(
            names: Names(wire: "Client"),
            properties: [property("ClientId", .guid), property("Name", .string)],
            key: [0],
            navigationProperties: [orders]
        )
        return EntityModel(
            namespace: "Shop",
            container: "Box",
            sets: [
                EntitySet(names: Names(wire: "Orders"), type: order),
                EntitySet(names: Names(wire: "Clients"), type: owner, isReadOnly: true),
            ]
        )
    }

    @Test func `every facet comes back`() throws {
        var orders = shop.sets[0]
        orders.formerNames = ["Bills", "Papers"]
        orders.description = "What was ordered."
        orders.type.description = "An order."
        orders.type.searchProperties = [3, 4]
        orders.type.searchesWords = true
        orders.type.properties[2].minimum = .decimal(EdmDecimal(coefficient: -5, scale: 1))
        orders.type.properties[2].maximum = .decimal(EdmDecimal(coefficient: 9_999, scale: 2))
        orders.type.properties[2].measure = .currency("EUR")
        orders.type.properties[2].description = "Gross."
        orders.type.properties[2].conflictPolicy = ConflictPolicy(.counter, else: .ask)
        orders.type.conflictPolicy = .lastEdit
        orders.type.properties[1].allowedValues = [.integer(1), .integer(-2)]
        orders.type.properties[1].isReadOnly = true
        orders.type.properties[1].measure = .unit("kg")
        orders.type.properties[4].pattern = "^[^']+$"
        orders.type.properties[4].isTracked = false
        orders.type.properties[4].formerNames = ["Remark"]
        orders.type.properties[5].isImmutable = true
        orders.type.properties[3].structure = .collection(of: .primitive(.string), itemsNullable: true)
        orders.type.calculatedProperties = [
            CalculatedProperty(
                names: Names(wire: "ClientName", code: "clientName"),
                type: .string,
                expression: .path(["Client", "Name"]),
                isCached: true
            ),
            CalculatedProperty(
                names: Names(wire: "Double"),
                type: .decimal,
                expression: .binary(.mul, .path(["Total"]), .literal(.integer(2)))
            ),
        ]
        orders.type.rules = [
            EntityRule(
                name: "Named",
                condition: .binary(.notEqual, .path(["Note"]), .literal(.string("it's"))),
                message: "Say more.",
                properties: ["Note", "Total"]
            ),
            EntityRule(
                name: "Few",
                condition: .lambda(
                    .all,
                    over: ["Client", "Orders"],
                    variable: "_1",
                    .binary(.lessThan, .path(["_1", "Status"]), .literal(.integer(3)))
                ),
                message: ""
            ),
        ]
        let model = EntityModel(namespace: "Shop", container: "Box", sets: [orders, shop.sets[1]])
        #expect(try ModelCodec.decode(ModelCodec.encode(model)) == model)
    }

    @Test func `a file of the version before still opens`() throws {
        let bytes = try #require(Data(base64Encoded: Self.versionTwo.joined()))
        #expect(try ModelCodec.decode([UInt8](bytes)) == shop)
    }

    @Test func `a newer version and bytes that were cut are told apart`() throws {
        var bytes = ModelCodec.encode(shop)
        #expect(Array(bytes.prefix(2)) == [1, 4])  // A small integer, the version.
        for length in stride(from: 3, to: bytes.count, by: 7) {
            let error = #expect(throws: LocalStoreError.self) { try ModelCodec.decode(Array(bytes.prefix(length))) }
            #expect(error?.code == .corrupt)
        }
        bytes[1] = 6
        let error = #expect(throws: LocalStoreError.self) { try ModelCodec.decode(bytes) }
        #expect(error?.code == .newerFormat)
    }

    /// What version 2 wrote for ``shop``.
    private static let versionTwo = [
        "AQIFBAAAAFNob3AFAwAAAEJveAECBQYAAABPcmRlcnMFBgAAAE9yZGVycwUGAAAAT3JkZXJzAQAFBQAAAE9yZGVyBQUAAABPcmRlcgUFAAAA",
        "T3JkZXIBBgUHAAAAT3JkZXJJZAUHAAAAb3JkZXJJZAUHAAAAT3JkZXJJZAUJAAAARWRtLkludDMyAQAAAAAABQkAAABvbi1pbnNlcnQBAAUG",
        "AAAAbmF0aXZlAQAFBgAAAFN0YXR1cwUGAAAAc3RhdHVzBQYAAABTdGF0dXMFCQAAAEVkbS5JbnQzMgEAAAAABQEAAAAxBQQAAABub25lAQAF",
        "BgAAAG5hdGl2ZQEABQUAAABUb3RhbAUFAAAAdG90YWwFBQAAAFRvdGFsBQsAAABFZG0uRGVjaW1hbAEBAAEJAQIABQQAAABub25lAQAFDgAA",
        "AGRlY2ltYWwtc2NhbGVkAQAFBAAAAFRhZ3MFBAAAAHRhZ3MFBAAAAFRhZ3MFCgAAAEVkbS5TdHJpbmcBAQAAAAAFBAAAAG5vbmUBAAUGAAAA",
        "bmF0aXZlAQIFBAAAAE5vdGUFBAAAAG5vdGUFBAAAAE5vdGUFCgAAAEVkbS5TdHJpbmcBAQEoAAAABQQAAABub25lAQEFBgAAAG5hdGl2ZQEA",
        "BQgAAABDbGllbnRJZAUIAAAAY2xpZW50SWQFCAAAAENsaWVudElkBQgAAABFZG0uR3VpZAEAAAAAAAUEAAAAbm9uZQEABQYAAABuYXRpdmUB",
        "AAEBAQABAQECAQEBBQEBBQYAAABDbGllbnQFBgAAAGNsaWVudAUGAAAAQ2xpZW50BQcAAABDbGllbnRzAQABAAEBAQEBBQEABQcAAABDYXNj",
        "YWRlBQYAAABPcmRlcnMFBwAAAENsaWVudHMFBwAAAENsaWVudHMFBwAAAENsaWVudHMBAQUGAAAAQ2xpZW50BQYAAABDbGllbnQFBgAAAENs",
        "aWVudAECBQgAAABDbGllbnRJZAUIAAAAY2xpZW50SWQFCAAAAENsaWVudElkBQgAAABFZG0uR3VpZAEAAAAAAAUEAAAAbm9uZQEABQYAAABu",
        "YXRpdmUBAAUEAAAATmFtZQUEAAAAbmFtZQUEAAAATmFtZQUKAAAARWRtLlN0cmluZwEAAAAAAAUEAAAAbm9uZQEABQYAAABuYXRpdmUBAAEB",
        "AQABAAEBBQYAAABPcmRlcnMFBgAAAG9yZGVycwUGAAAAT3JkZXJzBQYAAABPcmRlcnMBAQEBAQABAQEAAQUFBwAAAENhc2NhZGUFBgAAAENs",
        "aWVudA==",
    ]
}

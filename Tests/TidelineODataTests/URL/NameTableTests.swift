// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData

struct NameTableTests {
    @Test
    func `every name of a model stands for what it is`() {
        var size = Property(names: Names(wire: "Sizes"), type: .string)
        size.structure = .collection(of: .primitive(.int32))
        var homes = Property(names: Names(wire: "Homes"), type: .string)
        homes.structure = .collection(of: .complex("Address"))
        var photo = Property(names: Names(wire: "Photo"), type: .binary)
        photo.stream = MediaStream()
        var type = EntityType(
            names: Names(wire: "Product"),
            properties: [Property(names: Names(wire: "Id"), type: .int32), size, homes, photo],
            key: [0]
        )
        type.complexProperties = [ComplexProperty(names: Names(wire: "Maker"), type: "Address")]
        type.derivedTypes = [
            DerivedType(names: Names(wire: "Rare"), baseType: nil, discriminatorValue: .string("rare"))
        ]
        var model = EntityModel(
            namespace: "Shop",
            sets: [EntitySet(names: Names(wire: "Products"), type: type)]
        )
        model.singletons = [Singleton(names: Names(wire: "Best"), set: "Products")]
        model.enumerations = [EnumerationType(names: Names(wire: "Color"), members: [])]
        model.complexTypes = [
            ComplexType(
                names: Names(wire: "Address"),
                properties: [Property(names: Names(wire: "City"), type: .string)]
            )
        ]
        model.operations = [
            EdmOperation(
                names: Names(wire: "Top"),
                kind: .function,
                parameters: [OperationParameter(names: Names(wire: "count"), type: OperationType(.primitive(.int32)))],
                returnType: OperationType(.entity(set: "Products"), isCollection: true),
                imports: [OperationImport("TopProducts")]
            ),
            EdmOperation(
                names: Names(wire: "Weight"),
                kind: .function,
                binding: OperationBinding(set: "Products"),
                returnType: OperationType(.primitive(.double))
            ),
            EdmOperation(names: Names(wire: "Sell"), kind: .action, binding: OperationBinding(set: "Products")),
            EdmOperation(names: Names(wire: "Close"), kind: .action, imports: [OperationImport("CloseAll")]),
        ]
        let table = NameTable(model)
        let expected: [(String, NameKinds)] = [
            ("Products", .entitySet), ("Product", .entityType), ("Rare", .entityType), ("Shop.Rare", .entityType),
            ("Best", .singleton), ("Color", .enumerationType), ("Address", .complexType), ("Id", .primitiveProperty),
            ("City", .primitiveProperty), ("Sizes", .primitiveCollection), ("Homes", .complexCollection),
            ("Maker", .complexProperty), ("Photo", .streamProperty), ("TopProducts", .entityCollectionFunctionImport),
            ("Weight", .primitiveFunction), ("Sell", .action), ("CloseAll", .actionImport), ("count", .parameter),
            ("Top", []), ("Close", []), ("products", []),
        ]
        for (name, kinds) in expected { #expect(table[name] == kinds, "\(name)") }
    }
}

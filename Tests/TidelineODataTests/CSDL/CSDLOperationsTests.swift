// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData

/// Operations in the metadata documents, written and read back.
struct CSDLOperationsTests {
    private static var model: EntityModel {
        let id = Property(names: Names(wire: "Id"), type: .int32, isNullable: false)
        let product = EntityType(names: Names(wire: "Product"), properties: [id], key: [0])
        let group = EntityType(names: Names(wire: "Group"), properties: [id], key: [0])
        var model = EntityModel(
            namespace: "Shop",
            sets: [
                EntitySet(names: Names(wire: "Products"), type: product),
                EntitySet(names: Names(wire: "Groups"), type: group),
            ]
        )
        model.enumerations = [
            EnumerationType(names: Names(wire: "Mood"), members: [.init("Calm", 0), .init("Wild", 3)])
        ]
        model.complexTypes = [
            ComplexType(
                names: Names(wire: "Sum"),
                properties: [Property(names: Names(wire: "Total"), type: .decimal, precision: 10, scale: 2)]
            )
        ]
        model.operations = [best, cheaper, raise, total, reset]
        return model
    }

    /// An unbound function that gives entities and stands in the service document.
    private static let best = EdmOperation(
        names: Names(wire: "Best"),
        kind: .function,
        returnType: OperationType(.entity(set: "Products"), isCollection: true, isNullable: false),
        isComposable: true,
        imports: [OperationImport("Best", isInServiceDocument: true)],
        description: "What sells"
    )

    /// A function on a product that gives products.
    private static let cheaper = EdmOperation(
        names: Names(wire: "Cheaper"),
        kind: .function,
        binding: OperationBinding(name: "product", set: "Products"),
        parameters: [
            OperationParameter(
                names: Names(wire: "than"),
                type: OperationType(.primitive(.decimal), isNullable: false, precision: 19, scale: 4)
            ),
            OperationParameter(
                names: Names(wire: "mood"),
                type: OperationType(.enumeration("Mood")),
                isOptional: true,
                defaultValue: .integer(3),
                description: "How we feel"
            ),
        ],
        returnType: OperationType(.entity(set: "Products"), isCollection: true, isNullable: false)
    )

    private static let raise = EdmOperation(
        names: Names(wire: "Raise"),
        kind: .action,
        binding: OperationBinding(set: "Products", isCollection: true),
        parameters: [
            OperationParameter(
                names: Names(wire: "names"),
                type: OperationType(.primitive(.string), isCollection: true, isNullable: false, maxLength: 20),
                isOptional: true
            )
        ]
    )

    private static let total = EdmOperation(
        names: Names(wire: "Total"),
        kind: .function,
        parameters: [OperationParameter(names: Names(wire: "of"), type: OperationType(.primitive(.int32)))],
        returnType: OperationType(.complex("Sum")),
        imports: [OperationImport("Total")]
    )

    private static let reset = EdmOperation(
        names: Names(wire: "Reset"),
        kind: .action,
        imports: [OperationImport("Reset"), OperationImport("Clear")]
    )

    private static let xml = String(decoding: CSDLXML.write(model), as: UTF8.self)
    private static let json = String(decoding: CSDLJSON.write(model), as: UTF8.self)

    @Test(arguments: [
        #"<Function Name="Best" IsComposable="true">"#,
        #"<ReturnType Type="Collection(Shop.Product)" Nullable="false"/>"#,
        #"<Function Name="Cheaper" IsBound="true" EntitySetPath="product">"#,
        #"<Parameter Name="product" Type="Shop.Product" Nullable="false"/>"#,
        #"<Parameter Name="than" Type="Edm.Decimal" Nullable="false" Precision="19" Scale="4"/>"#,
        #"<Parameter Name="mood" Type="Shop.Mood">"#,
        #"<PropertyValue Property="DefaultValue" String="Wild"/>"#,
        #"<Action Name="Raise" IsBound="true">"#,
        #"<Parameter Name="it" Type="Collection(Shop.Product)" Nullable="false"/>"#,
        #"<ReturnType Type="Shop.Sum"/>"#,
        #"<FunctionImport Name="Best" Function="Shop.Best" EntitySet="Products" IncludeInServiceDocument="true">"#,
        #"<ActionImport Name="Clear" Action="Shop.Reset""#,
    ])
    func `XML says operations and their imports`(line: String) {
        // An element without content may be written either way.
        #expect(Self.xml.contains(line) || Self.xml.contains(line.dropLast() + "/>"), "\(Self.xml)")
    }

    @Test func `what is bound is not imported`() {
        #expect(!Self.xml.contains(#"Name="Cheaper" Function"#))
        #expect(!Self.xml.contains(#"ActionImport Name="Raise""#))
    }

    @Test(arguments: ["XML", "JSON"])
    func `operations come back as they were`(format: String) throws {
        let read =
            try format == "XML"
            ? CSDLXML.readTolerantly(Array(Self.xml.utf8)) : CSDLJSON.readTolerantly(Array(Self.json.utf8))
        #expect(read.warnings == [])
        #expect(read.model.operations.map(\.names.wire) == ["Best", "Cheaper", "Raise", "Total", "Reset"])
        for (found, wanted) in zip(read.model.operations, Self.model.operations) { #expect(found == wanted) }
    }

    @Test func `an operation on what is no entity is left out with a warning`() throws {
        let document = Self.xml.replacing(
            #"<Parameter Name="product" Type="Shop.Product""#,
            with: #"<Parameter Name="product" Type="Edm.Int32""#
        )
        let read = try CSDLXML.readTolerantly(Array(document.utf8))
        #expect(read.model.operations.map(\.names.wire) == ["Best", "Raise", "Total", "Reset"])
        #expect(
            read.warnings == [
                "The function ‘Cheaper’ is left out: the type of a parameter or of the result has no place here."
            ]
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Five rows with nulls and edges and what hangs on them, held in one of several storage forms.
///
///     Items ── Owner → Owners        Items ── Parts →→ Parts ── Maker → Owners
///       └───── Parent / Children     Items ── Labels ⇄ Labels (by ItemLabels)
package struct ExpressionWorld: Sendable {
    /// How the columns hold their values.
    package enum Forms: String, CaseIterable, Sendable {
        case native, integers, texts, julian, variable
    }

    package let model: EntityModel
    package let forms: Forms

    package init(_ forms: Forms = .native) {
        self.forms = forms
        var model = EntityModel(
            namespace: "Test",
            sets: [
                EntitySet(names: Names(wire: "Items", database: "items"), type: Self.item(forms)),
                EntitySet(names: Names(wire: "Owners", database: "owners"), type: Self.owner),
                EntitySet(names: Names(wire: "Parts", database: "parts"), type: Self.part),
                EntitySet(names: Names(wire: "Labels", database: "labels"), type: Self.label),
                EntitySet(names: Names(wire: "ItemLabels", database: "item_labels"), type: Self.itemLabel),
            ]
        )
        model.enumerations = [
            EnumerationType(
                names: Names(wire: "Color"),
                members: [.init("Red", 1), .init("Green", 2), .init("Blue", 4)]
            ),
            EnumerationType(
                names: Names(wire: "Mark"),
                isFlags: true,
                members: [.init("A", 1), .init("B", 2), .init("C", 4)]
            ),
        ]
        model.complexTypes = [
            ComplexType(
                names: Names(wire: "Line"),
                properties: [
                    Property(names: Names(wire: "Product"), type: .string),
                    Property(names: Names(wire: "Quantity"), type: .int32),
                    Property(names: Names(wire: "Price"), type: .decimal, precision: 9, scale: 2),
                ]
            ),
            ComplexType(names: Names(wire: "Geo"), properties: [Property(names: Names(wire: "Lat"), type: .double)]),
            ComplexType(
                names: Names(wire: "Address"),
                properties: [
                    Property(names: Names(wire: "City"), type: .string),
                    Property(names: Names(wire: "Zip"), type: .string),
                    Self.structured(Property(names: Names(wire: "Geo"), type: .string), .complex("Geo")),
                ]
            ),
            ComplexType(
                names: Names(wire: "Home"),
                properties: [
                    Property(names: Names(wire: "City"), type: .string),
                    Property(names: Names(wire: "Zip"), type: .int32),
                ]
            ),
        ]
        self.model = model.replacing(sets: Self.calculating(model.sets))
    }

    package var items: EntitySet { model.sets[0] }

    // MARK: - Types

    private static func property(
        _ name: String,
        _ type: PrimitiveType,
        precision: Int? = nil,
        scale: Int? = nil,
        _ storage: StorageForm = .native
    ) -> Property {
        Property(
            names: Names(wire: name, database: name.lowercased()),
            type: type,
            isNullable: name != "Id",
            precision: precision,
            scale: scale,
            storage: storage
        )
    }

    private static func structured(_ property: Property, _ structure: Structure) -> Property {
        var property = property
        property.structure = structure
        return property
    }

    private static func enumeration(_ name: String, _ type: String, _ forms: Forms) -> Property {
        var property = property(name, .int32, forms == .texts ? .memberName : .native)
        property.enumeration = type
        return property
    }

    private static func contained(_ wire: String, _ database: String, _ type: PrimitiveType) -> Property {
        var property = Property(names: Names(wire: wire, database: database), type: type)
        property.container = 0
        return property
    }

    private static func item(_ forms: Forms) -> EntityType {
        let digits: Int? = forms == .variable ? nil : 3
        let decimal: StorageForm = forms == .integers ? .decimalScaled : forms == .texts ? .decimalText : .native
        let moment: StorageForm =
            switch forms {
            case .native, .variable: .native
            case .integers: .unixMilliseconds
            case .texts: .sqlText
            case .julian: .julianDay
            }
        var volts = property("Volts", .int32)
        volts.declaringType = "Gadget"
        var type = EntityType(
            names: Names(wire: "Item"),
            properties: [
                property("Id", .int32), property("Name", .string), property("N", .int32), property("Big", .int64),
                property("P", .decimal, precision: 19, scale: 4, decimal), property("W", .double),
                property("Flag", .boolean, forms == .texts ? .booleanText : .native),
                property("Born", .date, forms == .integers ? .unixSeconds : .native),
                property("At", .dateTimeOffset, precision: digits, moment),
                property("T", .timeOfDay, precision: digits), property("Len", .duration),
                property("G", .guid, forms == .integers ? .guidBlob : forms == .texts ? .guidUpper : .native),
                property("OwnerId", .int32), property("Bin", .binary),
                enumeration("Color", "Color", forms), enumeration("Marks", "Mark", forms),
                structured(property("Tags", .string), .collection(of: .primitive(.string), itemsNullable: true)),
                structured(property("Sizes", .string), .collection(of: .primitive(.decimal))),
                structured(property("Lines", .string), .collection(of: .complex("Line"))),
                structured(property("Address", .string), .complex("Address")),
                structured(property("Extra", .string), .dynamic),
                contained("City", "home_city", .string), contained("Zip", "home_zip", .int32),
                property("Place", .geographyPoint), property("Area", .geographyPolygon),
                property("Route", .geographyLineString), property("Kind", .string), volts,
                property("ParentId", .int32),
            ],
            key: [0],
            navigationProperties: [
                one("Owner", "Owners", 12), many("Parts", "Parts", 1), linked("Labels", "Labels"),
                one("Parent", "Items", 28), many("Children", "Items", 28),
            ]
        )
        type.complexProperties = [ComplexProperty(names: Names(wire: "Home"), type: "Home")]
        type.discriminator = 26
        type.discriminatorValue = .string("item")
        type.derivedTypes = [
            DerivedType(names: Names(wire: "Gadget"), discriminatorValue: .string("gadget")),
            DerivedType(names: Names(wire: "SuperGadget"), baseType: "Gadget", discriminatorValue: .string("super")),
        ]
        return type
    }

    private static let owner = EntityType(
        names: Names(wire: "Owner"),
        properties: [property("Id", .int32), property("Name", .string)],
        key: [0],
        uniqueKeys: [[1]],
        navigationProperties: [many("Items", "Items", 12)]
    )

    private static let part = EntityType(
        names: Names(wire: "Part"),
        properties: [
            property("Id", .int32), property("ItemId", .int32), property("Label", .string),
            property("Weight", .decimal, precision: 9, scale: 2), property("MakerId", .int32),
        ],
        key: [0],
        navigationProperties: [one("Item", "Items", 1), one("Maker", "Owners", 4)]
    )

    private static let label = EntityType(
        names: Names(wire: "Label"),
        properties: [property("Id", .int32), property("Name", .string)],
        key: [0]
    )

    private static let itemLabel = EntityType(
        names: Names(wire: "ItemLabel"),
        properties: [property("ItemId", .int32), property("LabelId", .int32)],
        key: [0, 1],
        navigationProperties: [one("Item", "Items", 0), one("Label", "Labels", 1)]
    )

    private static func one(_ name: String, _ target: String, _ column: Int) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: false,
            isDependent: true,
            constraints: [.init(source: column, target: 0)]
        )
    }

    private static func many(_ name: String, _ target: String, _ column: Int) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: true,
            isDependent: false,
            constraints: [.init(source: 0, target: column)]
        )
    }

    private static func linked(_ name: String, _ target: String) -> NavigationProperty {
        var navigation = NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: true,
            isDependent: false,
            constraints: []
        )
        navigation.link = LinkTable(set: "ItemLabels", toOwner: "Item", toTarget: "Label")
        return navigation
    }
}

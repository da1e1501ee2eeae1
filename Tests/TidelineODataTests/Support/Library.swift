// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A model with every feature: derived types, complex types, collections, streams, links, parts, shapes, rules.
enum Library {
    static let model: EntityModel = {
        var model = EntityModel(namespace: "Library", container: "Service", sets: [books, readers, loans, pages])
        model.description = "Books and who borrows them"
        model.enumerations = [
            EnumerationType(
                names: Names(wire: "Color"),
                underlyingType: .byte,
                isFlags: true,
                members: [.init("Red", 1), .init("Green", 2, description: "as grass")],
                description: "What a cover shows"
            ),
            EnumerationType(names: Names(wire: "State"), members: [.init("Ordered", 0), .init("OnShelf", 1)]),
        ]
        var tags = Property(names: Names(wire: "Tags"), type: .string)
        tags.structure = .collection(of: .primitive(.string), itemsNullable: true)
        model.complexTypes = [
            ComplexType(
                names: Names(wire: "Place"),
                isOpen: true,
                properties: [
                    Property(names: Names(wire: "Room"), type: .string, isNullable: false, maxLength: 20),
                    Property(names: Names(wire: "Shelf"), type: .int16),
                ]
            ),
            ComplexType(names: Names(wire: "Corner"), baseType: "Place", properties: [tags]),
        ]
        model.singletons = [
            Singleton(names: Names(wire: "Librarian"), set: "Readers", key: Key([.integer(1)]), isNullable: true)
        ]
        return model
    }()

    private static func property(
        _ name: String,
        _ type: PrimitiveType,
        isNullable: Bool = true,
        _ change: (inout Property) -> Void = { _ in }
    ) -> Property {
        var property = Property(names: Names(wire: name), type: type, isNullable: isNullable)
        change(&property)
        return property
    }

    private static let bookProperties: [Property] = [
        property("Id", .int32, isNullable: false) { $0.generation = .onInsert },
        property("Kind", .string, isNullable: false) { $0.isImmutable = true },
        property("Title", .string, isNullable: false) {
            $0.pattern = "^[A-Z].*$"; $0.description = "As on the cover"
        },
        property("Version", .int64, isNullable: false) { $0.isReadOnly = true },
        property("Content", .binary) {
            $0.stream = MediaStream(contentType: "application/pdf", contentTypeProperty: 5)
        },
        property("ContentType", .string),
        property("Cover", .string) { $0.stream = MediaStream(contentType: "image/png", isFile: true) },
        property("Width", .int32) {
            $0.container = 0
            $0.minimum = .integer(1)
            $0.maximum = .integer(999)
            $0.measure = .unit("mm")
        },
        property("Width", .int32) { $0.container = 1 },
        property("Colors", .byte) {
            $0.enumeration = "Color"; $0.defaultValue = .integer(3)
        },
        property("State", .int32, isNullable: false) {
            $0.enumeration = "State"; $0.defaultValue = .integer(1)
        },
        property("Place", .string) { $0.structure = .complex("Place") },
        property("History", .string) { $0.structure = .collection(of: .complex("Corner")) },
        property("Palette", .string) { $0.structure = .collection(of: .enumeration("Color")) },
        property("Rest", .string) { $0.structure = .dynamic },
        property("Found", .geographyPoint) { $0.srid = 4326 },
        property("Price", .decimal) {
            $0.precision = 9
            $0.scale = 2
            $0.declaringType = "PaperBook"
            $0.measure = .currency("EUR")
        },
        property("Bought", .dateTimeOffset) { $0.precision = 3 },
        property("Weight", .double),
        property("Digest", .binary) { $0.maxLength = 16 },
        property("Reading", .duration), property("Opened", .timeOfDay), property("Printed", .date),
        property("Token", .guid) { $0.generation = .always },
    ]

    private static let books: EntitySet = {
        var type = EntityType(names: Names(wire: "Book"), properties: bookProperties, key: [0], uniqueKeys: [[2, 7]])
        type.complexProperties = [
            ComplexProperty(names: Names(wire: "Size"), type: "Extent", isNullable: false),
            ComplexProperty(names: Names(wire: "Inner"), type: "InnerExtent", parent: 0),
        ]
        type.derivedTypes = [
            DerivedType(names: Names(wire: "PaperBook"), discriminatorValue: .string("P")),
            DerivedType(names: Names(wire: "Series"), discriminatorValue: nil, isAbstract: true),
            DerivedType(names: Names(wire: "Volume"), baseType: "Series", discriminatorValue: .string("V")),
        ]
        type.discriminator = 1
        type.version = 3
        type.mediaProperty = 4
        type.searchProperties = [2]
        var readers = NavigationProperty(
            names: Names(wire: "Readers"),
            targetSet: "Readers",
            isCollection: true,
            isDependent: false,
            constraints: [],
            partner: "Books"
        )
        readers.link = LinkTable(set: "Loans", toOwner: "Book", toTarget: "Reader")
        var pages = NavigationProperty(
            names: Names(wire: "Pages"),
            targetSet: "Pages",
            isCollection: true,
            isDependent: false,
            constraints: [.init(source: 0, target: 0)],
            onDelete: .cascade
        )
        pages.isContainment = true
        pages.declaringType = "PaperBook"
        type.navigationProperties = [readers, pages]
        var set = EntitySet(names: Names(wire: "Books"), type: type)
        set.description = "All books"
        return set
    }()

    private static let readers: EntitySet = {
        var type = EntityType(
            names: Names(wire: "Reader"),
            properties: [property("Id", .int32, isNullable: false), property("Name", .string, isNullable: false)],
            key: [0]
        )
        var books = NavigationProperty(
            names: Names(wire: "Books"),
            targetSet: "Books",
            isCollection: true,
            isDependent: false,
            constraints: [],
            partner: "Readers"
        )
        books.link = LinkTable(set: "Loans", toOwner: "Reader", toTarget: "Book")
        type.navigationProperties = [books]
        return EntitySet(names: Names(wire: "Readers"), type: type)
    }()

    private static let loans: EntitySet = {
        var type = EntityType(
            names: Names(wire: "Loan"),
            properties: [
                property("BookId", .int32, isNullable: false), property("ReaderId", .int32, isNullable: false),
            ],
            key: [0, 1]
        )
        type.navigationProperties = [("Book", "Books", 0), ("Reader", "Readers", 1)].map { name, set, place in
            NavigationProperty(
                names: Names(wire: name),
                targetSet: set,
                isCollection: false,
                isNullable: false,
                isDependent: true,
                constraints: [.init(source: place, target: 0)]
            )
        }
        return EntitySet(names: Names(wire: "Loans"), type: type, isReadOnly: true)
    }()

    private static let pages: EntitySet = {
        let type = EntityType(
            names: Names(wire: "Page"),
            properties: [property("Book", .int32, isNullable: false), property("Number", .int32, isNullable: false)],
            key: [0, 1]
        )
        var set = EntitySet(names: Names(wire: "Pages"), type: type)
        set.isContained = true
        return set
    }()
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The model that every store under test holds: small sets that together meet what databases have.
///
///     Clients  ◄─ Profiles   one to one, cascade           Samples    each primitive type, nullable
///     Clients  ◄─ Orders     refused while referred to     BigOrders  a view: orders of 100 and more
///     Sellers  ◄─ Orders     set to null
///     Sellers  ◄─ Sellers    Boss: set to null; Mentor: checked at the end of the transaction
///     Orders   ◄─ Lines      composite key, cascade
///     Products ◄─ Lines      refused while referred to; Orders and Products are many to many over Lines
///     Albums                 collections in the tables album_words, numbered, and album_marks, cascade
///
/// Besides the model a database of it has: CHECK (total >= 0) on orders, `products.label` computed as `name || '!'`,
/// the foreign key of Mentor DEFERRABLE INITIALLY DEFERRED, and the view
/// `big_orders` AS SELECT id, number, total FROM orders WHERE total >= 100.
public enum StoreFixture {
    /// The model; every name in the database is in lower case.
    public static let model: EntityModel = {
        var model = EntityModel(namespace: "Fixture", sets: allSets)
        model.complexTypes = [word]
        return model
    }()

    private static let allSets = [
        clients, profiles, sellers, orders, lines, products, samples, bigOrders, albums,
    ]

    /// The properties whose changes narrow deltas.
    public static let scopes = ["Orders": ["ClientId"]]

    static func property(
        _ wire: String,
        _ database: String,
        _ type: PrimitiveType,
        isNullable: Bool = true,
        maxLength: Int? = nil,
        precision: Int? = nil,
        scale: Int? = nil,
        defaultValue: Value? = nil,
        generation: Property.Generation = .none
    ) -> Property {
        Property(
            names: Names(wire: wire, code: wire, database: database),
            type: type,
            isNullable: isNullable,
            maxLength: maxLength,
            precision: precision,
            scale: scale,
            defaultValue: defaultValue,
            generation: generation
        )
    }

    /// The end of a relation that holds the foreign key.
    private static func reference(
        _ wire: String,
        to set: String,
        _ pairs: [(Int, Int)],
        back: String,
        isNullable: Bool = true,
        onDelete: NavigationProperty.DeleteRule = .none
    ) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: wire),
            targetSet: set,
            isCollection: false,
            isNullable: isNullable,
            isDependent: true,
            constraints: pairs.map { .init(source: $0.0, target: $0.1) },
            onDelete: onDelete,
            partner: back
        )
    }

    /// The end that is referred to.
    private static func dependents(
        _ wire: String,
        in set: String,
        _ pairs: [(Int, Int)],
        back: String,
        isCollection: Bool = true,
        onDelete: NavigationProperty.DeleteRule = .none
    ) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: wire),
            targetSet: set,
            isCollection: isCollection,
            isDependent: false,
            constraints: pairs.map { .init(source: $0.0, target: $0.1) },
            onDelete: onDelete,
            partner: back
        )
    }

    /// One end of the many-to-many relation that lines make.
    private static func many(
        _ wire: String,
        to set: String,
        from owner: String,
        over target: String,
        back: String
    ) -> NavigationProperty {
        var property = NavigationProperty(
            names: Names(wire: wire),
            targetSet: set,
            isCollection: true,
            isDependent: false,
            constraints: [],
            partner: back
        )
        property.link = LinkTable(set: "Lines", toOwner: owner, toTarget: target)
        return property
    }

    private static let clients = EntitySet(
        names: Names(wire: "Clients", database: "clients"),
        type: EntityType(
            names: Names(wire: "Client"),
            properties: [
                property("Id", "id", .string, isNullable: false, maxLength: 20),
                property("Name", "name", .string, isNullable: false, maxLength: 100),
                property("Rating", "rating", .decimal, precision: 5, scale: 2),
            ],
            key: [0],
            navigationProperties: [
                dependents("Orders", in: "Orders", [(0, 2)], back: "Client"),
                dependents(
                    "Profile",
                    in: "Profiles",
                    [(0, 0)],
                    back: "Client",
                    isCollection: false,
                    onDelete: .cascade
                ),
            ]
        )
    )

    private static let profiles = EntitySet(
        names: Names(wire: "Profiles", database: "profiles"),
        type: EntityType(
            names: Names(wire: "Profile"),
            properties: [
                property("ClientId", "client_id", .string, isNullable: false, maxLength: 20),
                property("Motto", "motto", .string),
            ],
            key: [0],
            navigationProperties: [
                reference("Client", to: "Clients", [(0, 0)], back: "Profile", isNullable: false, onDelete: .cascade)
            ]
        )
    )

    /// The words of their names are searched.
    private static let sellers: EntitySet = {
        var set = EntitySet(names: Names(wire: "Sellers", database: "sellers"), type: seller)
        set.type.searchProperties = [1]
        set.type.searchesWords = true
        return set
    }()

    private static let seller = EntityType(
        names: Names(wire: "Seller"),
        properties: [
            property("Id", "id", .int32, isNullable: false),
            property("Name", "name", .string, maxLength: 100),
            property("BossId", "boss_id", .int32),
            property("MentorId", "mentor_id", .int32),
        ],
        key: [0],
        navigationProperties: [
            reference("Boss", to: "Sellers", [(2, 0)], back: "Team", onDelete: .setNull),
            dependents("Team", in: "Sellers", [(0, 2)], back: "Boss", onDelete: .setNull),
            reference("Mentor", to: "Sellers", [(3, 0)], back: "Pupils"),
            dependents("Pupils", in: "Sellers", [(0, 3)], back: "Mentor"),
            dependents("Sales", in: "Orders", [(0, 3)], back: "Seller", onDelete: .setNull),
        ]
    )

    private static let orders = EntitySet(
        names: Names(wire: "Orders", database: "orders"),
        type: EntityType(
            names: Names(wire: "Order"),
            properties: [
                property("Id", "id", .int32, isNullable: false, generation: .onInsert),
                property("Number", "number", .string, maxLength: 20),
                property("ClientId", "client_id", .string, maxLength: 20),
                property("SellerId", "seller_id", .int32),
                property(
                    "Total",
                    "total",
                    .decimal,
                    isNullable: false,
                    precision: 10,
                    scale: 2,
                    defaultValue: .decimal(EdmDecimal(coefficient: 0))
                ),
                property("PlacedAt", "placed_at", .dateTimeOffset, precision: 3),
            ],
            key: [0],
            uniqueKeys: [[1]],
            navigationProperties: [
                reference("Client", to: "Clients", [(2, 0)], back: "Orders"),
                reference("Seller", to: "Sellers", [(3, 0)], back: "Sales", onDelete: .setNull),
                dependents("Lines", in: "Lines", [(0, 0)], back: "Order", onDelete: .cascade),
                many("Products", to: "Products", from: "Order", over: "Product", back: "Orders"),
            ]
        )
    )

    private static let lines = EntitySet(
        names: Names(wire: "Lines", database: "lines"),
        type: EntityType(
            names: Names(wire: "Line"),
            properties: [
                property("OrderId", "order_id", .int32, isNullable: false),
                property("Place", "place", .int32, isNullable: false),
                property("ProductId", "product_id", .guid, isNullable: false),
                property("Quantity", "quantity", .int32, isNullable: false),
                property("Note", "note", .string),
            ],
            key: [0, 1],
            uniqueKeys: [[0, 2]],
            navigationProperties: [
                reference("Order", to: "Orders", [(0, 0)], back: "Lines", isNullable: false, onDelete: .cascade),
                reference("Product", to: "Products", [(2, 0)], back: "Lines", isNullable: false),
            ]
        )
    )

    private static let products = EntitySet(
        names: Names(wire: "Products", database: "products"),
        type: EntityType(
            names: Names(wire: "Product"),
            properties: [
                property("Id", "id", .guid, isNullable: false),
                property("Name", "name", .string, isNullable: false, maxLength: 100),
                property("Size", "size", .string, maxLength: 10),
                property("Price", "price", .decimal, precision: 10, scale: 2),
                property("Label", "label", .string, maxLength: 101, generation: .always),
            ],
            key: [0],
            uniqueKeys: [[1, 2]],
            navigationProperties: [
                dependents("Lines", in: "Lines", [(0, 2)], back: "Product"),
                many("Orders", to: "Orders", from: "Product", over: "Order", back: "Products"),
            ]
        )
    )
}

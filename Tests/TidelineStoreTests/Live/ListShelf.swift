// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// A shelf of films for live lists: Films (given key) belong to Shelves.
struct ListShelf {
    static let model = EntityModel(
        namespace: "Shelf",
        sets: [
            EntitySet(
                names: Names(wire: "Shelves"),
                type: EntityType(
                    names: Names(wire: "Shelf"),
                    properties: [
                        Fixture.property("Id", .int64, nullable: false), Fixture.property("Name", .string),
                    ],
                    key: [0]
                )
            ),
            EntitySet(
                names: Names(wire: "Films"),
                type: EntityType(
                    names: Names(wire: "Film"),
                    properties: [
                        Fixture.property("Id", .int64, nullable: false),
                        Fixture.property("Title", .string, nullable: false),
                        Fixture.property("Genre", .string),
                        Fixture.property("Rank", .int64),
                        Fixture.property("Price", .decimal, precision: 8, scale: 2),
                        Fixture.property("ShelfId", .int64),
                        Fixture.property("Seen", .boolean, localOnly: true),
                    ],
                    key: [0],
                    navigationProperties: [
                        NavigationProperty(
                            names: Names(wire: "Shelf"),
                            targetSet: "Shelves",
                            isCollection: false,
                            isDependent: true,
                            constraints: [.init(source: 5, target: 0)],
                            onDelete: .setNull
                        )
                    ]
                )
            ),
            EntitySet(
                names: Names(wire: "Casts"),
                type: EntityType(
                    names: Names(wire: "Cast"),
                    properties: [
                        Fixture.property("Film", .int64, nullable: false),
                        Fixture.property("Actor", .string, nullable: false),
                        Fixture.property("Role", .string),
                    ],
                    key: [0, 1]
                )
            ),
        ]
    )

    enum Column: Int { case id, title, genre, rank, price, shelf, seen }

    let folder: TestFolder
    let store: LocalStore

    init(watchInterval: Duration? = nil) throws {
        folder = try TestFolder()
        store = try LocalStore.create(
            path: folder.file("shelf.tideline"),
            model: ListShelf.model,
            settings: StoreSettings(watchInterval: watchInterval)
        )
    }

    /// Another store over the same file, as another process has it.
    func other() throws -> LocalStore {
        try LocalStore(path: folder.file("shelf.tideline"), settings: StoreSettings(watchInterval: nil))
    }

    static func path(_ column: Column, over navigations: [Int] = []) -> TypedExpression {
        let types: [Column: PrimitiveType] = [
            .id: .int64, .title: .string, .genre: .string, .rank: .int64, .price: .decimal, .shelf: .int64,
            .seen: .boolean,
        ]
        return TypedExpression(
            node: .path(TypedExpression.Path(navigations: navigations, property: column.rawValue)),
            type: types[column]
        )
    }

    /// The name of a film's shelf.
    static let shelfName = TypedExpression(
        node: .path(TypedExpression.Path(navigations: [0], property: 1)),
        type: .string
    )

    /// `column eq value`, or another comparison.
    static func test(
        _ column: Column,
        _ operation: Expression.BinaryOperator = .equal,
        _ value: Value
    ) -> TypedExpression {
        test(path(column), operation, value)
    }

    static func test(
        _ left: TypedExpression,
        _ operation: Expression.BinaryOperator = .equal,
        _ value: Value
    ) -> TypedExpression {
        TypedExpression(
            node: .binary(operation, left, TypedExpression(node: .literal(value), type: left.type)),
            type: .boolean
        )
    }

    /// The films that meet a condition, by these columns.
    func plan(
        _ filter: TypedExpression? = nil,
        by order: [(Column, descending: Bool)] = [],
        skip: Int = 0,
        top: Int? = nil
    ) -> ReadPlan {
        ReadPlan(
            model: store.model,
            set: store.layout.sets[1].set,
            filter: filter,
            orderBy: order.map { ReadPlan.SortKey(ListShelf.path($0.0), isDescending: $0.descending) },
            skip: skip,
            top: top
        )
    }

    static func key(_ id: Int64) -> Key { Key([.integer(id)]) }

    func insert(_ id: Int64, _ title: String, genre: String? = nil, rank: Int64? = nil) throws {
        try store.write { try ListShelf.insert(id, title, genre: genre, rank: rank, $0) }
    }

    static func insert(
        _ id: Int64,
        _ title: String,
        genre: String? = nil,
        rank: Int64? = nil,
        _ transaction: LocalTransaction
    ) throws {
        try transaction.insert(
            [
                "Id": .integer(id), "Title": .string(title), "Genre": genre.map { .string($0) } ?? .null,
                "Rank": rank.map { .integer($0) } ?? .null,
            ],
            into: "Films"
        )
    }

    func update(_ id: Int64, _ values: [String: Value]) throws {
        try store.write { _ = try $0.update(ListShelf.key(id), values, in: "Films") }
    }

    func delete(_ id: Int64) throws {
        try store.write { _ = try $0.delete(ListShelf.key(id), in: "Films") }
    }

    /// The sections as a fetch of this moment finds them.
    ///
    /// - Parameter section: what the rows of a section have in common, in words of its own.
    func fetched(
        _ plan: ReadPlan,
        sectionedBy expression: TypedExpression?,
        _ section: ([String: Value]) throws -> Value = { _ in .null }
    ) throws -> [ListSection] {
        var plan = plan
        plan.columns = [Column.id, .genre, .shelf].map(\.rawValue)
        if let expression, plan.orderBy.first?.expression != expression {
            plan.orderBy.insert(ReadPlan.SortKey(expression), at: 0)
        }
        var sections: [ListSection] = []
        for row in try store.fetch(plan) {
            let value = try section(row)
            if sections.last?.value != value { sections.append(ListSection(value: value)) }
            sections[sections.count - 1].keys.append(Key([row["Id"] ?? .null]))
        }
        return sections
    }
}

extension ListBatch {
    /// The changes in words: `insert 3 at 0.1`.
    var words: [String] {
        changes.map { change in
            switch change {
            case .delete(let key, let from): "delete \(key.words) from \(from.words)"
            case .deleteSection(let value, let from): "delete section \(value.text ?? "null") from \(from)"
            case .insertSection(let value, let to): "insert section \(value.text ?? "null") to \(to)"
            case .insert(let key, let to): "insert \(key.words) to \(to.words)"
            case .move(let key, let from, let to): "move \(key.words) from \(from.words) to \(to.words)"
            case .update(let key, let from, let to): "update \(key.words) from \(from.words) to \(to.words)"
            }
        }
    }
}

extension Key {
    fileprivate var words: String { values.map { $0.text ?? "null" }.joined(separator: ",") }
}

extension ListPlace {
    fileprivate var words: String { "\(section).\(row)" }
}

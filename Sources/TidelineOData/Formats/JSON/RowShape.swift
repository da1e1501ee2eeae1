// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What the rows of one answer look like on the wire: the columns in their order, and what hangs on each row.
///
/// A writer turns the values pushed for a shape into JSON; a reader pushes the values of JSON in the order of a shape.
public struct RowShape: Hashable, Sendable {
    /// One structural property of a row.
    public struct Column: Hashable, Sendable {
        public var name: String
        public var type: PrimitiveType
        public var isNullable: Bool

        public init(name: String, type: PrimitiveType, isNullable: Bool = true) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
        }

        /// The column of a property.
        public init(_ property: Property) {
            self.init(name: property.names.wire, type: property.type, isNullable: property.isNullable)
        }
    }

    /// The related entities that stand in each row.
    public struct Expansion: Hashable, Sendable {
        public var name: String
        public var isCollection: Bool
        public var shape: RowShape

        public init(name: String, isCollection: Bool, shape: RowShape) {
            self.name = name
            self.isCollection = isCollection
            self.shape = shape
        }
    }

    /// The wire name of the entity set.
    public var set: String
    /// The key properties, in key order; they say what a removed entity is called.
    public var key: [Column]
    public var columns: [Column]
    public var expansions: [Expansion]
    /// Whether each row has its `@etag`.
    public var includesETag: Bool
    /// The select list of the context URL (`OrderId,Client(Name)`), or `nil` when all properties are there.
    public var selectList: String?

    public init(
        set: String,
        key: [Column],
        columns: [Column],
        expansions: [Expansion] = [],
        includesETag: Bool = true,
        selectList: String? = nil
    ) {
        self.set = set
        self.key = key
        self.columns = columns
        self.expansions = expansions
        self.includesETag = includesETag
        self.selectList = selectList
    }

    /// The shape of rows of an entity set.
    ///
    /// - Parameter columns: the places of the properties, in the order of pushing; `nil` for all that cross the wire.
    public init(_ set: EntitySet, columns: [Int]? = nil, expansions: [Expansion] = [], includesETag: Bool = true) {
        let type = set.type
        let all = type.properties.indices.filter { !type.properties[$0].isLocalOnly }
        let places = columns ?? all
        self.init(
            set: set.names.wire,
            key: type.key.map { Column(type.properties[$0]) },
            columns: places.map { Column(type.properties[$0]) },
            expansions: expansions,
            includesETag: includesETag
        )
        if places != all || !expansions.isEmpty { selectList = contextSelectList(selectsAll: places == all) }
    }

    /// The select list by the rules of context URLs: expanded navigation properties with parentheses.
    ///
    /// Source: OData Protocol 4.01, sections 10.7 to 10.9.
    private func contextSelectList(selectsAll: Bool) -> String {
        var items = selectsAll ? [] : columns.map(\.name)
        for expansion in expansions {
            items.append("\(expansion.name)(\(expansion.shape.selectList ?? ""))")
        }
        return items.joined(separator: ",")
    }
}

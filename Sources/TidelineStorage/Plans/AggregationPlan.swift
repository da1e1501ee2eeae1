// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What `$apply` makes of one entity set, as steps that each turn rows into rows.
///
///     entities ──► filter, order, rank ──► entities ──► group, join or project ──► rows of columns ──► any step ──► …
///
/// Expressions of steps before the first `group`, `join`, `project` or `concat` are over the entity; those of later steps are
/// over the columns of the step before: the path to property `i` is column `i`. Policies are part of `filter` and of the
/// guards. Made by ``AggregationPlanner``.
/// Source: OData Extension for Data Aggregation 4.0, section 3.
public struct AggregationPlan: Sendable {
    /// A column of the result.
    public struct Column: Hashable, Sendable {
        /// The names of the properties that lead to the value: `["Customer", "Country"]`, `["Total"]`.
        public var path: [String]
        /// The type; `nil` for nothing but null.
        public var type: PrimitiveType?
        /// The enumeration that a number is of.
        public var enumeration: String?
        /// What JSON text holds.
        public var structure: Structure?
        /// Whether it is there for later steps, or for the order, and no part of the result.
        public var isHidden = false
    }

    /// One aggregated value.
    public struct Aggregate: Hashable, Sendable {
        /// How values become one; null is passed over, and of no value all but the counts are null.
        public enum Method: Hashable, Sendable {
            case sum, min, max, average, countDistinct
            /// The number of rows.
            case count
        }

        public var method: Method
        /// What is aggregated; `nil` for the number of rows.
        public var value: TypedExpression?
        /// The type of the result.
        public var type: PrimitiveType
    }

    /// One step.
    public indirect enum Step: Sendable {
        case filter(TypedExpression)
        /// Entities become rows of values.
        case project([TypedExpression])
        /// Entities and those of other sets, each with each, become rows of values.
        ///
        /// The condition and the values see all of them: the last set is the innermost scope, the plan's own the
        /// outermost.
        case cross([EntitySet], where: TypedExpression?, values: [TypedExpression])
        /// Entities with each of those that a navigation property leads to become rows of values.
        ///
        /// The condition and the values see both: the related entity is the inner scope, the plan's own the outer.
        case join(navigation: Int, links: TypedExpression?, where: TypedExpression?, values: [TypedExpression])
        /// Columns are appended.
        case compute([TypedExpression])
        /// Rows that agree in the keys become one: the keys, then the aggregates.
        ///
        /// Each of `sets` says which keys its subtotals keep; the others are null there. Without keys there is one row.
        case group(keys: [TypedExpression], sets: [[Int]], aggregates: [Aggregate])
        /// The rows from one place in an order to another, of each group of rows that agree in `within`.
        case order([ReadPlan.SortKey], skip: Int, top: Int?, within: [TypedExpression])
        /// The first rows by a value, of each group: so many, so many per cent of the sum, or those that reach a sum.
        case rank(Transformation.Ranking, amount: Double, by: TypedExpression, within: [TypedExpression])
        /// All rows of several sequences; each says which of its columns stands in each place, `nil` for null.
        case concat([(steps: [Step], places: [Int?])], types: [PrimitiveType?])
    }

    public var model: EntityModel
    public var set: EntitySet
    /// What an operation returned, where that is aggregated and not the whole set.
    public var source: RowSource?
    /// ``source`` as a condition on the table `t0`, once a store has compiled it.
    package var restriction: SQLFragment?
    /// Conditions in SQL of the app's own, as those of ``ReadPlan``.
    package var conditions: [SQLText] = []
    /// The condition on the entities.
    public var filter: TypedExpression?
    /// Whether the steps see only what `filter` lets through, whatever order the database would like.
    package var isFenced = false
    public var steps: [Step]
    /// None where the result are the entities that are left, see ``RowSource/subset(_:)``.
    public var columns: [Column]
    /// The names under which `join` added related entities that are still there, each with their set.
    public var joined: [String: String] = [:]
    /// The order over the columns; all columns follow it, so that pages are the same each time.
    public var orderBy: [ReadPlan.SortKey]
    /// Rows to pass over.
    public var skip = 0
    /// The most rows, or `nil`.
    public var top: Int?
    public var user: UserContext

    /// The rows of a result as an entity set: for expressions over its columns.
    public var result: EntitySet { AggregationPlan.derived(columns) }

    /// The columns as an entity set without a table.
    static func derived(_ columns: [Column]) -> EntitySet {
        let properties = columns.enumerated().map { place, column in
            var property = Property(
                names: Names(wire: column.path.joined(separator: "/"), database: "c\(place)"),
                type: column.type ?? .string
            )
            property.enumeration = column.enumeration
            property.structure = column.structure
            return property
        }
        let type = EntityType(names: Names(wire: "Result"), properties: properties, key: [0])
        return EntitySet(names: Names(wire: "$apply", database: "$apply"), type: type, isReadOnly: true)
    }
}

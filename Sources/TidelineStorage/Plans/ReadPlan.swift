// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What to read from one entity set, in the store's terms: policies are already part of `filter`.
public struct ReadPlan: Sendable {
    /// One key of the order.
    public struct SortKey: Hashable, Sendable {
        public var expression: TypedExpression
        public var isDescending: Bool
        /// The order of texts, where it is not that of their bytes: for plans without ``ReadPlan/after``, on stores that
        /// say that they know collations.
        public var collation: TextCollation?

        public init(_ expression: TypedExpression, isDescending: Bool = false, collation: TextCollation? = nil) {
            self.expression = expression
            self.isDescending = isDescending
            self.collation = collation
        }
    }

    /// Related entities to read with each row.
    public struct Expansion: Sendable {
        /// The place of the navigation property in the entity type of the plan.
        public var navigation: Int
        /// What to read of the related entities; `after` is nil, `top` and `skip` count for each row.
        public var plan: ReadPlan
        /// Whether the sink is told how many related entities match in all.
        public var includesCount: Bool
        /// For many-to-many: the condition on the link rows; those that do not meet it are not there.
        public var linkFilter: TypedExpression?

        public init(
            navigation: Int,
            plan: ReadPlan,
            includesCount: Bool = false,
            linkFilter: TypedExpression? = nil
        ) {
            self.navigation = navigation
            self.plan = plan
            self.includesCount = includesCount
            self.linkFilter = linkFilter
        }

        /// The way to the related entities over a link table: its set, and its navigation properties to both ends.
        ///
        /// `nil` where the navigation property is not many-to-many.
        public func link(of parent: EntitySet) -> (set: EntitySet, toOwner: Int, toTarget: Int)? {
            guard let link = parent.type.navigationProperties[navigation].link, let set = plan.model[set: link.set],
                let toOwner = set.type.navigationIndex(wire: link.toOwner),
                let toTarget = set.type.navigationIndex(wire: link.toTarget)
            else { return nil }
            return (set, toOwner, toTarget)
        }

        /// The places in the parent's entity type of the properties that lead to the related entities.
        public func sources(of parent: EntitySet) -> [Int] {
            if let link = link(of: parent) {
                return link.set.type.navigationProperties[link.toOwner].constraints.map(\.target)
            }
            return parent.type.navigationProperties[navigation].constraints.map(\.source)
        }
    }

    /// The most that one page may hold; a page has at least one row if there is one.
    public struct PageLimit: Hashable, Sendable {
        /// Rows of the plan itself, expansions not counted.
        public var rows: Int
        /// Bytes of values pushed, expansions included, counted before formatting.
        public var bytes: Int

        public init(rows: Int, bytes: Int) {
            self.rows = rows
            self.bytes = bytes
        }

        /// No limit: for a spool file, or for a plan that `top` bounds.
        public static let unlimited = PageLimit(rows: .max, bytes: .max)
    }

    public var model: EntityModel
    public var set: EntitySet
    /// What an operation returned, where that is read and not the whole set.
    public var source: RowSource?
    /// ``source`` as a condition on the table `t0`, once a store has compiled it.
    package var restriction: SQLFragment?
    /// Conditions in SQL of the app's own, over the columns of the set's table: for a device's store, which puts them
    /// into ``restriction``.
    package var conditions: [SQLText] = []
    public var filter: TypedExpression?
    /// The order, nulls first when ascending.
    ///
    /// The store appends the key properties that are not among it.
    public var orderBy: [SortKey]
    /// Where the page before ended: the values of `orderBy` and of the appended key, of its last row.
    public var after: [Value]?
    /// Rows to pass over after `filter` and before `top`.
    public var skip: Int
    /// The most rows in all pages together, or `nil`.
    public var top: Int?
    /// The places of the properties to push, in the order of pushing.
    public var columns: [Int]
    /// Values to push after those of `columns`: what `$compute` makes and `$select` chooses.
    ///
    /// Filter and order hold computed properties as the expressions that they are.
    public var computed: [TypedExpression] = []
    /// What the first of `computed` are called where rows are given by names; those without a name are left out there.
    public var computedNames: [String] = []
    public var expansions: [Expansion]
    public var includesETag: Bool
    public var pageLimit: PageLimit
    /// Who asks, for `@me` in `filter`.
    public var user: UserContext

    /// - Parameter columns: the places of the properties to push, `nil` for all.
    public init(
        model: EntityModel,
        set: EntitySet,
        filter: TypedExpression? = nil,
        orderBy: [SortKey] = [],
        after: [Value]? = nil,
        skip: Int = 0,
        top: Int? = nil,
        columns: [Int]? = nil,
        expansions: [Expansion] = [],
        includesETag: Bool = true,
        pageLimit: PageLimit = .unlimited,
        user: UserContext = .anonymous
    ) {
        if let columns { self.columns = columns } else { self.columns = Array(set.type.properties.indices) }
        self.model = model
        self.set = set
        self.filter = filter
        self.orderBy = orderBy
        self.after = after
        self.skip = skip
        self.top = top
        self.expansions = expansions
        self.includesETag = includesETag
        self.pageLimit = pageLimit
        self.user = user
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A compiled read: its SQL and what each result column is.
///
///     SELECT  plan's columns … | other properties needed … | computed … | computed keys of the order …
///             \___________ properties, as stored ________/   \ pushed /   \__ continuation only __/
///
/// The executor binds the values of ``parameters`` first (parameters 1 to n, new for each run), then ``bindings``; steps at
/// most ``rowLimit`` rows (the statement yields one more when the page may have a successor), and reads the columns by
/// the storage forms of their properties.
public struct SelectStatement: Hashable, Sendable {
    /// A parameter that gets its value at each run, in the storage form of `property`.
    public struct Parameter: Hashable, Sendable {
        /// For an expansion the place of the property in the *parent's* entity type that gives the value; for a read
        /// by key the place in the key.
        public var source: Int
        /// The property of this statement's entity type that it is compared with.
        public var property: Property
    }

    /// A value of the continuation: the result column that it is read from.
    public struct ContinuationColumn: Hashable, Sendable {
        public var column: Int
        /// The property whose storage form the column has, or `nil` for a computed value.
        public var property: Property?
        /// The type of the value.
        public var type: PrimitiveType

        /// The value for ``ReadPlan/after``; `nil` when the stored value does not fit.
        public func value(of stored: SQLValue) -> Value? {
            if let property { return property.value(of: stored) }
            return SQLOperand.value(stored, type: type)
        }
    }

    public var text: String
    /// The values of the parameters after those in ``parameters``.
    public var bindings: [SQLValue]
    public var parameters: [Parameter]
    /// The properties in the result columns, as places in the entity type: column `i` holds `properties[i]`.
    ///
    /// First the plan's columns in the plan's order, then what the ETag, the expansions and the continuation need.
    public var properties: [Int]
    /// The computed values of the plan, in its order.
    public var computed: [ContinuationColumn] = []
    /// How the continuation is read from a row, one for each key of the order, the appended key included.
    public var continuation: [ContinuationColumn]
    /// The most rows to push.
    public var rowLimit: Int

    /// The result column of a property, or `nil` when the statement does not select it.
    public func column(of property: Int) -> Int? { properties.firstIndex(of: property) }

    /// Compiles a read plan.
    package init(plan: ReadPlan, dialect: some SQLDialect) {
        self.init(plan, parameters: [], dialect: dialect)
    }

    /// Compiles an expansion: run for each row of the parent, with the parent's values of the foreign key as
    /// ``parameters``.
    ///
    /// When one of them is null there are no related entities.
    ///
    /// - Parameter parent: the entity set of the plan that the expansion stands in.
    package init(expansion: ReadPlan.Expansion, of parent: EntitySet, dialect: some SQLDialect) {
        let link = LinkTie(expansion, of: parent)
        self.init(expansion.plan, parameters: expansion.parameters(of: parent), link: link, dialect: dialect)
    }

    /// The read of one whole entity, whose text is known: its columns are all properties in their order.
    package init(wholeEntity text: String, of set: EntitySet, bindings: [SQLValue] = []) {
        self.text = text
        self.bindings = bindings
        parameters = []
        properties = Array(set.type.properties.indices)
        continuation = []
        rowLimit = 1
    }

    // The compiler is made once more for each dialect: what does not know its dialect copies by the tables of types, and
    // took twice the time.
    @specialized(where Dialect == SQLiteDialect)
    @specialized(where Dialect == PostgresDialect)
    private init<Dialect: SQLDialect>(
        _ plan: ReadPlan,
        parameters: [Parameter],
        link: LinkTie? = nil,
        dialect: Dialect
    ) {
        var compiler = SQLCompiler(model: plan.model, set: plan.set, user: plan.user, dialect: dialect)
        var terms: [SQLCompiler<Dialect>.Term] = []
        for key in plan.completeOrder { terms.append(compiler.term(key)) }
        let columns = compiler.columns(of: plan, terms)

        var conditions = link.map { [compiler.exists($0)] } ?? compiler.equalities(parameters.map(\.property))
        if let restriction = plan.restriction { conditions.append(restriction) }
        if let filter = plan.filter { conditions.append(compiler.condition(filter).grouped) }
        if let after = plan.after { conditions.append(compiler.condition(after: after, terms: terms)) }

        // A page has at least one row.
        let rows = max(plan.pageLimit.rows, 1)
        rowLimit = min(rows, plan.top ?? .max)
        let limit = plan.top.map { $0 <= rows ? $0 : rows + 1 } ?? (rows == .max ? nil : rows + 1)
        let sql = dialect.select(
            SelectParts(
                columns: columns.sql,
                from: compiler.from,
                conditions: conditions,
                order: terms.map {
                    dialect.orderTerm($0.sort, isDescending: $0.isDescending, isNullable: $0.operand.isNullable)
                },
                limit: limit,
                skip: plan.skip,
                parameters: parameters.map(\.property)
            )
        )
        (text, bindings) = sql.rendered(dialect, outer: parameters.count)
        self.parameters = parameters
        properties = columns.properties
        computed = columns.computed
        continuation = columns.continuation
    }
}

extension ReadPlan {
    /// The order with the key properties that are not among it appended, so that no two rows are equal in it.
    public var completeOrder: [SortKey] {
        let own = Set(orderBy.compactMap(\.expression.ownProperty))
        return orderBy
            + set.type.key.filter { !own.contains($0) }.map { place in
                SortKey(
                    TypedExpression(
                        node: .path(TypedExpression.Path(property: place)),
                        type: set.type.properties[place].type
                    )
                )
            }
    }
}

extension TypedExpression {
    /// The place of the property that this is, when it is one of the entity at hand.
    var ownProperty: Int? {
        guard case .path(let path) = node, path.navigations.isEmpty else { return nil }
        return path.property
    }
}

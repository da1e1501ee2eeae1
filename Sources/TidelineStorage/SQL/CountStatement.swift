// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A compiled count, or a compiled question about one entity: one row with one integer.
public struct CountStatement: Hashable, Sendable {
    public var text: String
    /// The values of the parameters after those in ``parameters``.
    public var bindings: [SQLValue]
    /// The parameters that get their values at each run; they come first.
    public var parameters: [SelectStatement.Parameter]

    /// Counts the rows that match a plan's filter; page, `top`, `skip` and order do not count.
    package init(plan: borrowing ReadPlan, dialect: some SQLDialect) {
        self.init(plan, parameters: [], dialect: dialect)
    }

    /// Counts the related entities of a row, whose values of the foreign key are ``parameters``.
    package init(expansion: ReadPlan.Expansion, of parent: EntitySet, dialect: some SQLDialect) {
        let link = LinkTie(expansion, of: parent)
        self.init(expansion.plan, parameters: expansion.parameters(of: parent), link: link, dialect: dialect)
    }

    /// Counts 1 when the entity of a key, the values of which are ``parameters``, satisfies a condition, else 0.
    package init(
        condition: TypedExpression,
        in set: EntitySet,
        model: EntityModel,
        user: UserContext,
        dialect: some SQLDialect
    ) {
        let parameters = set.type.key.enumerated().map { place, property in
            SelectStatement.Parameter(source: place, property: set.type.properties[property])
        }
        let plan = ReadPlan(model: model, set: set, filter: condition, user: user)
        self.init(plan, parameters: parameters, dialect: dialect)
    }

    private init(
        _ plan: borrowing ReadPlan,
        parameters: [SelectStatement.Parameter],
        link: LinkTie? = nil,
        dialect: some SQLDialect
    ) {
        (text, bindings) = Self.compiled(plan, parameters, link, dialect)
        self.parameters = parameters
    }

    // Without its dialect known the compiler takes a third longer: every fragment is asked of a witness.
    @specialized(where Dialect == SQLiteDialect)
    @specialized(where Dialect == PostgresDialect)
    private static func compiled<Dialect: SQLDialect>(
        _ plan: ReadPlan,
        _ parameters: [SelectStatement.Parameter],
        _ link: LinkTie?,
        _ dialect: Dialect
    ) -> (text: String, bindings: [SQLValue]) {
        var compiler = SQLCompiler(model: plan.model, set: plan.set, user: plan.user, dialect: dialect)
        var conditions = link.map { [compiler.exists($0)] } ?? compiler.equalities(parameters.map(\.property))
        if let restriction = plan.restriction { conditions.append(restriction) }
        if let filter = plan.filter { conditions.append(compiler.condition(filter).grouped) }
        let parts = SelectParts(
            columns: ["COUNT(*)"],
            from: compiler.from,
            conditions: conditions,
            parameters: parameters.map(\.property)
        )
        return dialect.select(parts).rendered(dialect, outer: parameters.count)
    }
}

extension SQLCompiler {
    /// The columns of the table equal to the parameters that each run gives values.
    func equalities(_ properties: [Property]) -> [SQLFragment] {
        properties.enumerated().map { place, property in
            "\(collated(column(property, of: root), property, isEquality: true)) = \(SQLFragment(outer: place))"
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What `$compute` makes: named values over each entity, to be selected, filtered and ordered by.
///
/// Source: OData Protocol 4.01, section 11.2.5.3; OData URL Conventions 4.01, section 5.1.6.
struct Computation {
    static let none = Computation()

    /// The names in the order of the option.
    private(set) var names: [String] = []
    private var expressions: [String: TypedExpression] = [:]
    /// The way to what `$it` means, see ``ExpressionChecker/instance``.
    private var instance: [Int]? = []

    /// Each item may use those before it several times, so a short option could stand for an endless expression.
    static let partLimit = 1_000

    private init() {}

    init(
        _ items: [ComputeItem],
        over set: EntitySet,
        as derived: String?,
        instance: [Int]? = [],
        _ planner: Planner,
        _ user: UserContext
    ) throws(ODataError) {
        self.instance = instance
        for item in items {
            guard expressions[item.name] == nil, set.type.member(item.name, as: derived) == nil else {
                throw ODataError(.invalidQueryOption, "\(item.name) is a name that is taken.", target: "$compute")
            }
            // A later item may use those before it.
            let checker = checker(over: set, as: derived, planner, user)
            let expression = try item.expression.checked(by: checker, code: .invalidQueryOption)
            guard expression.type != nil, expression.structure == nil else {
                throw ODataError(.notSupported, "\(item.name) has no primitive type.", target: "$compute")
            }
            guard expression.hasParts(atMost: Self.partLimit) else {
                throw ODataError(.tooComplex, "\(item.name) is computed from too much.", target: "$compute")
            }
            expressions[item.name] = planner.guarded(expression, over: set, user)
            names.append(item.name)
        }
    }

    func checker(
        over set: EntitySet,
        as derived: String?,
        _ planner: Planner,
        _ user: UserContext
    ) -> ExpressionChecker {
        var checker = ExpressionChecker(model: planner.model, set: set)
        checker.mayCall = planner.callRule(for: user)
        checker.derivedType = derived
        checker.computed = expressions
        checker.instance = instance
        return checker
    }

    /// The expressions whose values the rows have.
    func expressions(_ selection: Selection) -> [TypedExpression] {
        selection.computed.compactMap { expressions[$0] }
    }

    func columns(_ selection: Selection, in model: EntityModel) -> [RowShape.Column] {
        selection.computed.compactMap { name in
            guard let expression = expressions[name], let type = expression.type else { return nil }
            var column = RowShape.Column(name: name, type: type)
            column.isUndeclared = true
            if let enumeration = expression.enumeration.flatMap({ model[enumeration: $0] }) {
                column.form = .enumeration(enumeration)
                column.typeName = "\(model.namespace).\(enumeration.names.wire)"
            } else if type.isSpatial {
                column.form = .spatial
            }
            return column
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Checks what options of `$select` say of JSON: the expressions over an item, and the names in an object.
struct ItemChecker {
    let set: EntitySet
    let planner: Planner
    let user: UserContext
    /// Computed properties of the items, by name.
    private var computed: [String: TypedExpression] = [:]

    init(set: EntitySet, planner: Planner, user: UserContext) {
        self.set = set
        self.planner = planner
        self.user = user
    }

    private func check(
        _ expression: Expression,
        on element: Structure.Element,
        code: ODataError.Code,
        isCondition: Bool = false
    ) throws(ODataError) -> TypedExpression {
        var checker = ExpressionChecker(model: planner.model, set: set)
        checker.computedMembers = computed
        let typed: TypedExpression
        do throws(ExpressionError) {
            typed =
                try isCondition
                ? checker.condition(expression, over: element) : checker.check(expression, over: element)
        } catch {
            throw error.told(as: code)
        }
        // The items are chosen after the row is read, where nothing of it is at hand.
        let inside = TypedExpression(node: .count(.values(.literal(.null, .string)), typed), type: .int64)
        guard inside.paths.isEmpty, !typed.looksAtCollections else {
            throw ODataError(
                .notSupported,
                "What chooses and orders items in $select looks at the items alone.",
                target: "$select"
            )
        }
        guard typed.hasParts(atMost: Computation.partLimit) else {
            throw ODataError(.tooComplex, "The options of $select ask for too much.", target: "$select")
        }
        return typed
    }

    func condition(_ expression: Expression, on element: Structure.Element) throws(ODataError) -> TypedExpression {
        var condition = try check(expression, on: element, code: .invalidSelect, isCondition: true)
        condition.type = .boolean
        return condition
    }

    /// A key of an order.
    func key(_ expression: Expression, on element: Structure.Element) throws(ODataError) -> TypedExpression {
        let typed = try check(expression, on: element, code: .invalidSelect)
        guard typed.structure == nil, typed.type?.isSpatial != true else {
            throw ODataError(.notSupported, "Structures and shapes have no order.", target: "$orderby")
        }
        return typed
    }

    /// The computed properties of `$compute`, which the other options may use then.
    mutating func compute(
        _ items: [ComputeItem],
        on element: Structure.Element,
        _ name: String
    ) throws(ODataError) -> [ItemChoice.Computed] {
        computed = [:]
        guard !items.isEmpty else { return [] }
        guard case .complex(let type) = element else {
            throw ODataError(.invalidSelect, "The values of \(name) have no properties to compute.", target: "$compute")
        }
        let declared = planner.model.properties(ofComplex: type)
        var result: [ItemChoice.Computed] = []
        for item in items {
            guard computed[item.name] == nil, !declared.contains(where: { $0.names.wire == item.name }) else {
                throw ODataError(.invalidQueryOption, "\(item.name) is a name that is taken.", target: "$compute")
            }
            let typed = try check(item.expression, on: element, code: .invalidQueryOption)
            guard let kind = typed.type, typed.structure == nil, !kind.isSpatial, typed.enumeration == nil else {
                throw ODataError(.notSupported, "\(item.name) has no primitive type.", target: "$compute")
            }
            computed[item.name] = typed
            result.append(ItemChoice.Computed(name: item.name, expression: typed))
        }
        return result
    }

    /// What is kept of an object, by names, with what is chosen in it; `nil` for everything.
    func members(
        _ items: [SelectItem],
        of element: Structure.Element,
        _ name: String
    ) throws(ODataError) -> [String: ItemChoice?]? {
        guard case .complex(let type) = element else {
            if items == [.all] { return nil }
            throw ODataError(.invalidSelect, "The values of \(name) have no properties to select.", target: name)
        }
        var parts: [String: QueryOptions?] = [:]
        for item in items {
            switch item {
            case .all: return nil
            case .property(let member): try Self.add([member], QueryOptions(), to: &parts, type, self)
            case .path(let path, let options): try Self.add(path, options, to: &parts, type, self)
            case .operations, .function: break
            }
        }
        let declared = planner.model.properties(ofComplex: type)
        var members: [String: ItemChoice?] = [:]
        for (member, options) in parts {
            guard let options else {
                members[member] = .some(nil)
                continue
            }
            let property = declared.first { $0.names.wire == member }
            members[member] = try ItemChoice(options, property?.structure, "\(name)/\(member)", self)
        }
        return members
    }

    private static func add(
        _ path: [String],
        _ options: QueryOptions,
        to parts: inout [String: QueryOptions?],
        _ type: String,
        _ checker: ItemChecker
    ) throws(ODataError) {
        // Annotations: none are kept.
        if path.last?.hasPrefix("@") == true { return }
        let path = path.filter { !$0.contains(".") }
        guard let first = path.first else { return }
        let model = checker.planner.model
        let isOpen = model[complexType: type]?.isOpen ?? false
        guard
            isOpen || checker.computed[first] != nil
                || model.properties(ofComplex: type).contains(where: { $0.names.wire == first })
        else { throw ODataError(.invalidSelect, "\(type) has no property \(first).", target: first) }
        guard path.count > 1 || options != QueryOptions() else {
            parts[first] = .some(nil)
            return
        }
        let nested = options.nested(at: path.dropFirst())
        switch parts[first] {
        case nil: parts[first] = nested
        case .some(nil): break
        case .some(let before?): parts[first] = try before.joined(nested, first)
        }
    }
}

extension QueryOptions {
    /// These options as those of the property that a path begins with.
    func nested(at rest: ArraySlice<String>) -> QueryOptions {
        guard !rest.isEmpty else { return self }
        var outer = QueryOptions()
        outer.select = [.path(Array(rest), options: self)]
        return outer
    }

    /// What two items of `$select` ask of one property: lists of names come together, anything else stands once.
    func joined(_ other: QueryOptions, _ name: String) throws(ODataError) -> QueryOptions {
        var (mine, others) = (self, other)
        guard let first = mine.select, let second = others.select else {
            throw ODataError(.invalidSelect, "\(name) is selected twice.", target: name)
        }
        (mine.select, others.select) = (nil, nil)
        guard mine == QueryOptions(), others == QueryOptions() else {
            throw ODataError(.invalidSelect, "\(name) is selected twice.", target: name)
        }
        mine.select = first + second
        return mine
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Values aggregated over collections, entities by their keys, and paths from the service root.
extension ExpressionChecker {
    /// `Items/aggregate(Price with sum)`.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, section 3.2.1, "Aggregate in expressions".
    func aggregate(
        _ names: [String],
        _ list: [AggregateItem],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard list.count == 1, let item = list.first, item.from.isEmpty else {
            throw unsupported("aggregate with several values or with from")
        }
        guard !names.isEmpty else { throw unsupported("aggregate over the collection itself") }
        let (items, content, startGuard) = try self.items(names, context)
        let inner = context.entering(content, variable: nil)
        let value: TypedExpression
        let method: AggregateMethod
        switch item.source {
        case .custom: throw unsupported("custom aggregates")
        case .count(let path) where path.isEmpty:
            return guarded(TypedExpression(node: .count(items, nil), type: .int64), startGuard)
        case .count(let path):
            (value, method) = (try check(.count(of: path, filter: nil, search: nil), inner), .sum)
        case .expression(let expression):
            guard let name = item.method else { throw unsupported("aggregate without a method") }
            (value, method) = (try check(expression, inner), name)
        }
        let (folding, type) = try Folding.of(method, over: value)
        return guarded(TypedExpression(node: .fold(folding, items, where: nil, value), type: type), startGuard)
    }

    private func guarded(_ value: TypedExpression, _ startGuard: TypedExpression?) -> TypedExpression {
        guard let startGuard else { return value }
        var result = value
        result.node = .conditional([.init(condition: startGuard, value: value)])
        return result
    }

    /// A path with keys or from the service root; `nil` for one that is a path of names with an end.
    ///
    ///     Lines(1)/Price        $root/Products('x')/Price        $root/Orders/$count
    ///
    /// Source: OData URL Conventions 4.01, sections 5.1.1.14 and 5.1.1.15.
    func addressed(_ segments: [PathSegment], _ context: Context) throws(ExpressionError) -> TypedExpression? {
        if segments.first == .root { return try rooted(segments.dropFirst(), context) }
        guard
            let place = segments.firstIndex(where: { if case .key = $0 { true } else { false } }),
            case .key(let arguments) = segments[place]
        else { return nil }
        guard case .path(let names) = try plain(Array(segments[..<place])) else { throw unsupported("such a path") }
        let (items, content, startGuard) = try self.items(names, context)
        guard case .entity(let set, let type) = content else { throw invalidPath(names, "its items have no key") }
        let value = try self.value(of: segments[(place + 1)...], in: items, (set, type), key: arguments, context)
        return guarded(value, startGuard)
    }

    private func rooted(
        _ segments: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard case .name(let name)? = segments.first else { throw unsupported("this path from $root") }
        var rest = segments.dropFirst()
        if let singleton = model[singleton: name], let set = model[set: singleton.set] {
            guard let key = singleton.key else { throw unsupported("the singleton \(name) in a path from $root") }
            let arguments = zip(set.type.key, key.values).map { place, value in
                PathArgument(name: set.type.properties[place].names.wire, value: .literal(value))
            }
            return try value(of: rest, in: .set(set.names.wire, guard: nil), (set, nil), key: arguments, context)
        }
        guard let set = model[named: name], !set.isContained else {
            throw ExpressionError(.unknownProperty, message: "There is no entity set \(name).", target: name)
        }
        let items = TypedExpression.Items.set(set.names.wire, guard: nil)
        let inner = context.entering(.entity(set, type: nil), variable: nil)
        switch rest.popFirst() {
        case .key(let arguments)?: return try value(of: rest, in: items, (set, nil), key: arguments, context)
        case .count(let filter, nil)? where rest.isEmpty:
            var test: TypedExpression?
            if let filter { test = try condition(check(filter, inner), of: "$filter") }
            return TypedExpression(node: .count(items, test), type: .int64)
        case .lambda(let quantifier, let variable, let body)? where rest.isEmpty:
            var test: TypedExpression?
            let named = context.entering(.entity(set, type: nil), variable: variable)
            if let body { test = try condition(check(body, named), of: quantifier.rawValue) }
            return TypedExpression(node: .lambda(quantifier, items, test), type: .boolean)
        default: throw unsupported("this path from $root")
        }
    }

    /// A value of the one entity of some that has a key.
    private func value(
        of rest: ArraySlice<PathSegment>,
        in items: TypedExpression.Items,
        _ target: (set: EntitySet, type: String?),
        key: [PathArgument],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard !rest.isEmpty else { throw unsupported("an entity as a value") }
        let test = try keyTest(key, of: target.set, context)
        let inner = context.entering(.entity(target.set, type: target.type), variable: nil)
        let value = try check(.general(Array(rest)), inner)
        var result = TypedExpression(node: .fold(.only, items, where: test, value), type: value.type)
        result.enumeration = value.enumeration
        result.structure = value.structure
        return result
    }

    /// The condition on an entity that it has a key; the values are of the place outside.
    private func keyTest(
        _ arguments: [PathArgument],
        of set: EntitySet,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let type = set.type
        var test: TypedExpression?
        let wrong = ExpressionError(
            .invalidLiteral,
            message: "This is no key of \(set.names.wire).",
            target: set.names.wire
        )
        guard arguments.count == type.key.count else { throw wrong }
        for place in type.key {
            let property = type.properties[place]
            guard
                let argument = arguments.first(where: {
                    $0.name.map { $0 == property.names.wire } ?? (arguments.count == 1)
                })
            else { throw wrong }
            let path = TypedExpression(
                node: .path(.init(property: place)),
                type: property.type,
                enumeration: property.enumeration
            )
            let equality = try binary(.equal, path, check(argument.value, context).deeper(by: 1))
            test = test?.joined(equality) ?? equality
        }
        guard let test else { throw wrong }
        return test
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// An expression in the names of the model and with the user's values, as text that says all of its meaning.
///
/// The switch names every kind of node: what it forgot, two different filters would share a token.
struct ScopeText {
    let model: EntityModel
    let user: UserContext

    /// - Parameter scopes: the set of each scope around the expression, the innermost last; `nil` for the items of JSON.
    func text(_ expression: TypedExpression, _ scopes: [EntitySet?]) -> String {
        func inner(_ part: TypedExpression) -> String { text(part, scopes) }
        func list(_ parts: [TypedExpression]) -> String { parts.map(inner).joined(separator: ",") }
        let type = expression.type?.rawValue ?? ""
        switch expression.node {
        case .literal(let value): return "\(type) \(Self.quoted(Self.text(value)))"
        case .me(let attribute): return "me(\(values(of: attribute)))"
        case .isInUser(let item, let attribute): return "isIn(\(inner(item)),\(values(of: attribute)))"
        case .unary(let sign, let operand): return "\(sign.rawValue)(\(inner(operand)))"
        case .binary(let sign, let left, let right): return "\(sign.rawValue)(\(list([left, right])))"
        case .call(let function, let arguments): return "\(function.rawValue)(\(list(arguments)))"
        case .isIn(let item, let entries): return "in(\(list([item] + entries)))"
        case .promote(let operand): return "promote \(type)(\(inner(operand)))"
        case .cast(let operand): return "cast \(type)(\(inner(operand)))"
        case .conditional(let branches):
            return "case(\(branches.map { "\(inner($0.condition)):\(inner($0.value))" }.joined(separator: ",")))"
        case .lambda(let quantifier, let items, let body): return "\(quantifier.rawValue)(\(text(items, body, scopes)))"
        case .count(let items, let body): return "count(\(text(items, body, scopes)))"
        case .item(let up): return "item \(up) \(type)"
        case .member(let base, let names):
            return "member \(type)(\(inner(base))\(names.map { "/" + Self.quoted($0) }.joined()))"
        case .element(let base, let place): return "element \(type) \(place)(\(inner(base)))"
        case .list(let items): return "list(\(list(items)))"
        case .fold(let folding, let items, let body, let value):
            return "fold \(folding)(\(text(items, body, scopes)),\(text(items, value, scopes)))"
        case .isSame(let left, let right): return "same(\(list([left, right])))"
        case .found(let words, let texts):
            return "found(\(words.map(Self.quoted).joined(separator: ",")):\(list(texts)))"
        case .invoke(let call): return "invoke \(type) \(call.column)(\(parts(of: call, scopes)))"
        case .isResult(let call, let key): return "isResult(\(parts(of: call, scopes)):\(list(key)))"
        case .path(let path):
            var place = start(path.up, scopes)
            return "\(path.up)/" + steps(path.navigations, path.guards, [], &place)
                + (place.map { Self.qualified(path.property, $0.type) } ?? "")
        }
    }

    private func parts(of call: TypedExpression.Invocation, _ scopes: [EntitySet?]) -> String {
        let given = call.arguments.map { $0.map { text($0, scopes) } ?? "-" } + call.key.map { text($0, scopes) }
        let keys = call.keys.map { text($0, scopes) } ?? "-"
        let operation = Self.quoted("\(call.operation)")
        return "\(operation):\(given.joined(separator: ",")):\(keys):\(Self.quoted(Self.text(user.id)))"
    }

    private func text(_ items: TypedExpression.Items, _ body: TypedExpression?, _ scopes: [EntitySet?]) -> String {
        var place: EntitySet?
        let over: String
        switch items {
        case .entities(let way):
            place = start(way.up, scopes)
            over = "\(way.up)/" + steps(way.navigations, way.guards, way.linkGuards, &place)
        case .set(let name, let condition):
            place = model[set: name]
            over = "$root/\(name)" + (condition.map { "[\(text($0, [place]))]" } ?? "")
        case .values(let array): over = text(array, scopes)
        }
        return over + ":" + (body.map { text($0, scopes + [place]) } ?? "")
    }

    private func start(_ up: Int, _ scopes: [EntitySet?]) -> EntitySet? {
        up < scopes.count ? scopes[scopes.count - 1 - up] : nil
    }

    private func steps(
        _ navigations: [Int],
        _ guards: [TypedExpression?],
        _ linkGuards: [TypedExpression?],
        _ place: inout EntitySet?
    ) -> String {
        var text = ""
        for (step, navigation) in navigations.enumerated() {
            guard let set = place else { return text }
            let property = set.type.navigationProperties[navigation]
            text += property.names.wire
            if step < linkGuards.count, let condition = linkGuards[step] {
                text += "{\(self.text(condition, [property.link.flatMap { model[set: $0.set] }]))}"
            }
            place = model[set: property.targetSet]
            if step < guards.count, let condition = guards[step] { text += "[\(self.text(condition, [place]))]" }
            text += "/"
        }
        return text
    }

    /// The name of a property behind those of the complex properties that it is in.
    private static func qualified(_ place: Int, _ type: EntityType) -> String {
        var name = type.properties[place].names.wire
        var container = type.properties[place].container
        while let current = container {
            name = "\(type.complexProperties[current].names.wire)/\(name)"
            container = type.complexProperties[current].parent
        }
        return name
    }

    private func values(of attribute: String?) -> String {
        switch attribute {
        case nil, "Id": Self.quoted(Self.text(user.id))
        case "Name": Self.quoted(user.name ?? "")
        case "Roles": user.roles.sorted().map(Self.quoted).joined(separator: ",")
        case .some(let name):
            (user.attributes[name] ?? []).map { Self.quoted(Self.text($0)) }.sorted().joined(separator: ",")
        }
    }

    /// A value as text that no other value of its type has; what Swift prints for one may change with its version.
    static func text(_ value: Value) -> String {
        if case .string(let text) = value { return "'" + text }
        return value.text ?? "null"
    }

    private static func quoted(_ text: String) -> String { "\(text.utf8.count):\(text)" }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import TidelineModel

/// What a token is bound to, as a hash: if any of it changes, a link made before says nothing any more.
///
/// The user; the set and its table; the effective filter and policy with the values of the user's attributes in them;
/// the properties, with those facets that change what a client holds. Other edits of the model leave links good.
struct Scope {
    private var text = ""

    init(domain: String, set: EntitySet, user: UserContext, userName: String?) {
        add("domain", domain)
        add("set", set.names.wire)
        add("table", set.names.database)
        add("user", userName ?? "")
        add("id", "\(user.id)")
        for place in set.type.key { add("key", set.type.properties[place].names.wire) }
    }

    mutating func add(properties columns: [Int], of type: EntityType) {
        for place in columns {
            let property = type.properties[place]
            add("property", property.names.wire)
            add("column", property.names.database)
            add(
                "facets",
                "\(property.type.rawValue) \(property.isNullable) \(property.scale ?? -1) \(property.storage.rawValue)"
            )
        }
    }

    /// Adds an expression in the names of the model, so that a new property elsewhere changes nothing.
    mutating func add(
        _ label: String,
        _ expression: TypedExpression?,
        over set: EntitySet,
        in model: EntityModel,
        for user: UserContext
    ) {
        guard let expression else { return add(label, "-") }
        add(label, Self.describe(expression, set, model, user))
    }

    mutating func add(_ label: String, _ content: String) {
        text += "\(label) \(content.utf8.count)\n\(content)\n"
    }

    var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8)).prefix(16)) }

    private static func describe(
        _ expression: TypedExpression,
        _ set: EntitySet,
        _ model: EntityModel,
        _ user: UserContext
    ) -> String {
        let operands = expression.children.map { describe($0, set, model, user) }.joined(separator: ",")
        switch expression.node {
        case .literal(let value): return "\(expression.type?.rawValue ?? "") \(quoted("\(value)"))"
        case .me(let attribute): return "me(\(values(of: attribute, user)))"
        case .isInUser(_, let attribute): return "isIn(\(operands),\(values(of: attribute, user)))"
        case .unary(let sign, _): return "\(sign.rawValue)(\(operands))"
        case .binary(let sign, _, _): return "\(sign.rawValue)(\(operands))"
        case .call(let function, _): return "\(function.rawValue)(\(operands))"
        case .isIn: return "in(\(operands))"
        case .promote: return "promote \(expression.type?.rawValue ?? "")(\(operands))"
        case .path(let path): return describe(path, set, model, user)
        }
    }

    private static func describe(
        _ path: TypedExpression.Path,
        _ set: EntitySet,
        _ model: EntityModel,
        _ user: UserContext
    ) -> String {
        var set = set
        var text = ""
        for (place, step) in path.navigations.enumerated() {
            let navigation = set.type.navigationProperties[step]
            text += navigation.names.wire
            guard let target = model[set: navigation.targetSet] else { return text }
            if path.guards.indices.contains(place), let condition = path.guards[place] {
                text += "[\(describe(condition, target, model, user))]"
            }
            text += "/"
            set = target
        }
        return text + set.type.properties[path.property].names.wire
    }

    private static func values(of attribute: String?, _ user: UserContext) -> String {
        switch attribute {
        case nil, "Id": quoted("\(user.id)")
        case "Name": quoted(user.name ?? "")
        case "Roles": user.roles.sorted().map(quoted).joined(separator: ",")
        case .some(let name): (user.attributes[name] ?? []).map { quoted("\($0)") }.sorted().joined(separator: ",")
        }
    }

    private static func quoted(_ text: String) -> String { "\(text.utf8.count):\(text)" }
}

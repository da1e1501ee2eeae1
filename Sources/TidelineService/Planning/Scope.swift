// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import TidelineModel
import TidelineStorage

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
        add("id", ScopeText.text(user.id))
        for place in set.type.key { add("key", set.type.properties[place].names.wire) }
    }

    /// What the link to the related entities that follow a page is bound to; which of them are asked for, it says itself.
    init(rest plan: ReadPlan, policy: TypedExpression?, for user: UserContext) {
        self.init(domain: "", set: plan.set, user: user, userName: nil)
        add("policy", policy, over: plan.set, in: plan.model, for: user)
        add(order: plan, for: user)
    }

    /// Adds the order of a plan: a next link goes on only in the order that it was made for.
    mutating func add(order plan: ReadPlan, for user: UserContext) {
        for key in plan.orderBy {
            let label = key.isDescending ? "descending" : "ascending"
            add(label, key.expression, over: plan.set, in: plan.model, for: user)
        }
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
        ScopeText(model: model, user: user).text(expression, [set])
    }
}

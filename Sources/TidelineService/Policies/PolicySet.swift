// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The policies of a domain, checked against its model: the one answer to "may this user?".
///
/// The planner asks it for every read, the writer for every change; nothing else decides.
struct PolicySet: Sendable {
    private struct Rule: Sendable {
        var role: String
        var condition: TypedExpression?
    }

    private struct Place: Hashable {
        var set: String
        var operation: Policy.Operation
    }

    /// Whether everybody may do everything.
    let isOpen: Bool
    private var rules: [Place: [Rule]] = [:]
    /// The roles that may call each operation, by its wire name.
    private var callers: [String: Set<String>] = [:]

    /// An open domain: no policies, no refusals.
    static let open = PolicySet()

    private init() { isOpen = true }

    /// - Throws: ``PolicyError`` for a condition that is no condition over its sets, or that no delta could follow.
    init(model: EntityModel, policies: [Policy]) throws(PolicyError) {
        isOpen = false
        for (place, policy) in policies.enumerated() {
            try addCalls(of: policy, place, model)
            for name in policy.sets ?? model.sets.map(\.names.wire) {
                guard let set = model[set: name] else {
                    throw PolicyError(policy: place, message: "The policy names the set \(name), and there is none.")
                }
                let rule = Rule(role: policy.role, condition: try Self.condition(policy, place, set, model))
                for operation in Set(policy.operations) {
                    rules[Place(set: name, operation: operation), default: []].append(rule)
                }
            }
        }
    }

    /// What the user may do: the union over the policies of all its roles.
    func access(_ operation: Policy.Operation, to set: String, for user: UserContext) -> Access {
        if isOpen { return .all }
        var access = Access.none
        for rule in rules[Place(set: set, operation: operation)] ?? [] {
            // Everybody's role is that of everybody who is somebody.
            guard rule.role == "*" ? user.id != .null : user.roles.contains(rule.role) else { continue }
            access = access.or(rule.condition.map { .when($0) } ?? .all)
        }
        return access
    }

    private mutating func addCalls(of policy: Policy, _ place: Int, _ model: EntityModel) throws(PolicyError) {
        let names = Set(model.operations.map(\.names.wire))
        for name in policy.calls {
            guard name == "*" || names.contains(name) else {
                throw PolicyError(policy: place, message: "The policy names the operation \(name), and there is none.")
            }
            for called in name == "*" ? names : [name] { callers[called, default: []].insert(policy.role) }
        }
    }

    /// Whether the user may call an operation, by its wire name.
    func mayCall(_ operation: String, _ user: UserContext) -> Bool {
        if isOpen { return true }
        return callers[operation, default: []].contains { role in
            role == "*" ? user.id != .null : user.roles.contains(role)
        }
    }

    private static func condition(
        _ policy: Policy,
        _ place: Int,
        _ set: EntitySet,
        _ model: EntityModel
    ) throws(PolicyError) -> TypedExpression? {
        guard let text = policy.condition else { return nil }
        let name = "The policy \"\(text)\" on \(set.names.wire)"
        let condition: TypedExpression
        do throws(ODataError) {
            condition = try ExpressionParser.parse(text).checkedCondition(over: set, in: model, code: .invalidFilter)
        } catch {
            throw PolicyError(policy: place, message: "\(name) cannot be used: \(error.message)")
        }
        if let reason = Trackability.reasonAgainst(condition, over: set, in: model) {
            throw PolicyError(policy: place, message: "\(name) cannot be followed by change tracking: \(reason)")
        }
        return condition
    }
}

extension Domain {
    /// The properties whose values narrow the cost of a delta, by wire names: set to properties.
    ///
    /// Those that a read policy compares with the user, as `OwnerId eq @me` does.
    public var scopeProperties: [String: [String]] {
        guard !isOpen else { return [:] }
        var scopes: [String: Set<String>] = [:]
        for policy in policies where policy.operations.contains(.read) {
            for set in policy.sets ?? model.sets.map(\.names.wire) {
                guard let type = model[set: set],
                    let rules = try? PolicySet(
                        model: model,
                        policies: [Policy(role: "*", sets: [set], operations: [.read], where: policy.condition)]
                    ),
                    let condition = rules.access(.read, to: set, for: UserContext(id: .boolean(true))).condition,
                    let property = condition.ownerProperty
                else { continue }
                scopes[set, default: []].insert(type.type.properties[property].names.wire)
            }
        }
        return scopes.mapValues { $0.sorted() }
    }
}

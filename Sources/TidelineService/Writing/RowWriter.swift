// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Changes single rows for a step: the policies are asked before each change by ``RowGate``, and after it here.
struct RowWriter {
    let core: Core
    let writer: any StoreWriter
    let call: Call
    let step: Step

    typealias Conditions = RowGate.Conditions

    var resolver: Resolver { Resolver(planner: core.planner, reader: writer, call: call) }

    // MARK: Changes

    func insert(_ given: [Int: Value], into set: EntitySet) throws -> Resource.Entity {
        let write = EntityWrite(core: core, writer: writer, call: call, set: set)
        var values = given
        try write.complete(&values, isInsert: true)
        try write.checkReferences(values, current: nil)
        let key = try withholding(.insert, set, values, nil) { try writer.insert(values, into: set) }
        let entity = Resource.Entity(set: set, key: key)
        try note(entity, .inserted)
        return entity
    }

    func update(_ entity: Resource.Entity, _ given: [Int: Value], current: StoredEntity) throws {
        var values = given
        if !step.parked.isEmpty, let parked = step.parked[RowAddress(entity)] {
            values.merge(parked.values) { given, _ in given }
        }
        let write = EntityWrite(core: core, writer: writer, call: call, set: entity.set)
        try write.checkReferences(values, current: current)
        if !values.isEmpty {
            let isThere = try withholding(.update, entity.set, values, current) {
                try writer.update(entity.key, values, in: entity.set)
            }
            guard isThere else { throw try untouched(entity) }
            remember(ReplacedValues(entity, current, by: values))
        }
        try note(entity, .updated)
    }

    func delete(_ entity: Resource.Entity) throws {
        let current = step.remembersMore ? try writer.entity(entity.key, in: entity.set) : nil
        let wasThere = try core.withholdingNames(from: entity.set) { try writer.delete(entity.key, in: entity.set) }
        guard wasThere else { throw try untouched(entity) }
        step.touched.append((entity, .deleted))
        if let current { remember(ReplacedValues(entity, current, by: nil)) }
    }

    /// Why a change touched no row: there is none, or the database passes the change over.
    ///
    /// Who is told that a row is gone, and then reads it, would send the change again for ever.
    private func untouched(_ entity: Resource.Entity) throws -> any Error {
        try writer.entity(entity.key, in: entity.set) == nil
            ? ODataError.absentEntity(entity.set.names.wire) : StorageError.ignoredChange(entity.set)
    }

    /// Remembers what a change replaced, for the conflict log.
    private func remember(_ replaced: ReplacedValues) {
        guard step.remembersMore, !replaced.isEmpty else { return }
        step.replaced.append(replaced)
    }

    private func note(_ entity: Resource.Entity, _ effect: Step.Effect) throws {
        step.touched.append((entity, effect))
        try checkPolicyAfter(entity, effect)
    }

    // MARK: Before

    /// What is asked before a change.
    private var gate: RowGate {
        RowGate(core: core, reader: writer, call: call, wasOfItsVersion: step.wasOfItsVersion)
    }

    /// See ``RowGate/headerConditions()``.
    func headerConditions() throws(ODataError) -> Conditions { try gate.headerConditions() }

    /// See ``RowGate/mayWrite(_:_:)``.
    func mayWrite(_ operation: Policy.Operation, _ set: EntitySet) throws(ODataError) {
        try gate.mayWrite(operation, set)
    }

    /// See ``RowGate/admit(_:_:_:)``.
    func admit(
        _ operation: Policy.Operation,
        _ entity: Resource.Entity,
        _ conditions: Conditions
    ) throws -> StoredEntity? {
        let current = try gate.admit(operation, entity, conditions)
        if let current, conditions.ifMatch?.namesVersion == true { step.seen.insert(current.etag) }
        return current
    }

    /// See ``RowGate/checkConditions(_:_:)``.
    func checkConditions(_ conditions: Conditions, _ current: StoredEntity) throws(ODataError) {
        try gate.checkConditions(conditions, current)
        if conditions.ifMatch?.namesVersion == true { step.seen.insert(current.etag) }
    }

    /// See ``RowGate/check(_:_:)``.
    func check(_ conditions: Conditions, _ current: StoredEntity) throws(ODataError) {
        try gate.check(conditions, current)
        if conditions.ifMatch?.namesVersion == true { step.seen.insert(current.etag) }
    }

    /// See ``RowGate/check(_:_:name:)``.
    func check(_ condition: ETagCondition, _ current: StoredEntity?, name: String) throws(ODataError) {
        try gate.check(condition, current, name: name)
        if let current, condition.namesVersion { step.seen.insert(current.etag) }
    }

    // MARK: After

    /// Runs a change, and answers a taken key or value only where the row would be one that the policy allows.
    ///
    /// A unique value may hold the owner: whoever could ask for rows in the name of others would learn theirs.
    private func withholding<Result>(
        _ operation: Policy.Operation,
        _ set: EntitySet,
        _ values: [Int: Value],
        _ current: StoredEntity?,
        _ change: () throws -> Result
    ) throws -> Result {
        do {
            return try core.withholdingNames(from: set, change)
        } catch let error as StorageError where error.code == .duplicateKey || error.code == .duplicateValue {
            let access = core.planner.policies.access(operation, to: set.names.wire, for: call.user)
            let row = ProposedRow(
                model: core.planner.model,
                reader: writer,
                set: set,
                given: values,
                current: current
            )
            if let policy = access.condition, row.knows(policy),
                (try? ExpressionEvaluator(source: row, user: call.user).isTrue(policy)) != true
            {
                throw RowGate.violation(operation, set)
            }
            throw error
        }
    }

    /// After a change the row must satisfy the policy that allowed it.
    func checkPolicyAfter(_ entity: Resource.Entity, _ effect: Step.Effect) throws {
        guard let policy = policyAfter(entity, effect) else { return }
        guard try writer.satisfies(policy, key: entity.key, in: entity.set, user: call.user) else {
            throw RowGate.violation(Self.operation(effect), entity.set)
        }
    }

    /// The policy that a row must satisfy after a change; `nil` where it may be any.
    func policyAfter(_ entity: Resource.Entity, _ effect: Step.Effect) -> TypedExpression? {
        core.planner.policies.access(Self.operation(effect), to: entity.set.names.wire, for: call.user).condition
    }

    private static func operation(_ effect: Step.Effect) -> Policy.Operation {
        effect == .inserted ? .insert : .update
    }

    /// After all changes each written row must keep the rules of its type; what they break is told together.
    ///
    /// - Throws: `BrokenRule`.
    func checkRules(_ touched: ArraySlice<(entity: Resource.Entity, effect: Step.Effect)>) throws {
        struct Row: Hashable {
            var set: String
            var key: Key
        }
        var seen = Set<Row>()
        var failures = RuleFailures()
        for (entity, effect) in touched where effect != .deleted {
            let name = entity.set.names.wire
            let rules = core.rules[name]
            guard !rules.isEmpty, seen.insert(Row(set: name, key: entity.key)).inserted,
                // What a later change has deleted keeps no rule.
                try writer.entity(entity.key, in: entity.set) != nil
            else { continue }
            for rule in rules {
                guard let condition = rule.condition else {
                    throw ODataError(
                        service: ServiceCode.internalError,
                        "The rule \(rule.rule.name) of \(name) cannot be used.",
                        target: name
                    )
                }
                let isKept = try writer.satisfies(condition, key: entity.key, in: entity.set, user: .anonymous)
                if !isKept { failures.add(rule.rule) }
            }
        }
        try failures.raise()
    }
}

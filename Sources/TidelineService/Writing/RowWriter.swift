// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Changes single rows for a step: the policies are asked before and after each change, and here alone.
struct RowWriter {
    let core: Core
    let writer: any StoreWriter
    let call: Call
    let step: Step

    /// Under which conditions on its version a row may be changed.
    struct Conditions {
        var ifMatch: ETagCondition?
        var ifNoneMatch: ETagCondition?
        /// Whether a change that names no version is refused where the domain wants one.
        var isRequired = true

        /// For a row that is changed along with another, such as one that is tied to it.
        static let none = Conditions(isRequired: false)
    }

    var resolver: Resolver { Resolver(planner: core.planner, reader: writer, call: call) }

    /// The conditions that the request's header fields state.
    func headerConditions() throws(ODataError) -> Conditions {
        Conditions(
            ifMatch: try ETagCondition.read(.ifMatch, call.fields),
            ifNoneMatch: try ETagCondition.read(.ifNoneMatch, call.fields)
        )
    }

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
        if let own = step.entity, own.key == entity.key, own.set.names.wire == entity.set.names.wire {
            values.merge(step.parked) { given, _ in given }
        }
        let write = EntityWrite(core: core, writer: writer, call: call, set: entity.set)
        try write.checkReferences(values, current: current)
        if !values.isEmpty {
            let isThere = try withholding(.update, entity.set, values, current) {
                try writer.update(entity.key, values, in: entity.set)
            }
            guard isThere else { throw ODataError.absentEntity(entity.set.names.wire) }
        }
        try note(entity, .updated)
    }

    func delete(_ entity: Resource.Entity) throws {
        guard try writer.delete(entity.key, in: entity.set) else {
            throw ODataError.absentEntity(entity.set.names.wire)
        }
        step.touched.append((entity, .deleted))
    }

    private func note(_ entity: Resource.Entity, _ effect: Step.Effect) throws {
        step.touched.append((entity, effect))
        try checkPolicyAfter(entity, effect)
    }

    // MARK: Before

    /// Whether the set takes such changes from this user at all, whatever the row.
    func mayWrite(_ operation: Policy.Operation, _ set: EntitySet) throws(ODataError) {
        if set.isReadOnly { throw ReadHandler.notAllowed("\(set.names.wire) can only be read.") }
        guard core.planner.policies.access(operation, to: set.names.wire, for: call.user) != .none else {
            throw ODataError(
                service: ServiceCode.accessDenied,
                "You may not \(operation.rawValue) entities of \(set.names.wire).",
                target: set.names.wire
            )
        }
    }

    /// The row as it is, when it is visible and may be changed so; `nil` when there is none.
    func admit(
        _ operation: Policy.Operation,
        _ entity: Resource.Entity,
        _ conditions: Conditions
    ) throws -> StoredEntity? {
        try mayWrite(operation, entity.set)
        guard let current = try resolver.visible(entity) else {
            // Preconditions speak of what is there: of nothing, no version is the right one.
            if conditions.ifMatch != nil { throw preconditionFailed("If-Match") }
            return nil
        }
        try check(conditions, current)
        if conditions.ifMatch == nil, conditions.isRequired, core.domain.requiresIfMatch {
            throw ODataError(
                service: ServiceCode.preconditionRequired,
                "A change here names the version that it changes, with If-Match.",
                target: "If-Match"
            )
        }
        let access = core.planner.policies.access(operation, to: entity.set.names.wire, for: call.user)
        if let policy = access.condition,
            try !writer.satisfies(policy, key: entity.key, in: entity.set, user: call.user)
        {
            throw violation(operation, entity.set)
        }
        return current
    }

    /// Makes sure that a row is of the version that a request asks for.
    func check(_ conditions: Conditions, _ current: StoredEntity) throws(ODataError) {
        if let none = conditions.ifNoneMatch, none.matches(current.etag) { throw preconditionFailed("If-None-Match") }
        if let condition = conditions.ifMatch { try check(condition, current, name: "If-Match") }
    }

    /// Makes sure that a row is of the version that a condition names.
    func check(_ condition: ETagCondition, _ current: StoredEntity?, name: String) throws(ODataError) {
        if case .reference(let id) = condition {
            guard let reference = call.references[id] else { throw preconditionFailed(name) }
            // Of a request of the same group the row is as that request left it: nobody else can change it meanwhile.
            guard let etag = reference.etag else { return }
            guard etag == current?.etag else { throw preconditionFailed(name) }
            return
        }
        guard condition.matches(current?.etag) else { throw preconditionFailed(name) }
    }

    private func preconditionFailed(_ name: String) -> ODataError {
        ODataError(
            service: ServiceCode.preconditionFailed,
            "The entity is of another version, or is not there.",
            target: name
        )
    }

    private func violation(_ operation: Policy.Operation, _ set: EntitySet) -> ODataError {
        ODataError(
            service: ServiceCode.policyViolation,
            "You may not \(operation.rawValue) this entity of \(set.names.wire).",
            target: set.names.wire
        )
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
            return try change()
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
                throw violation(operation, set)
            }
            throw error
        }
    }

    /// After a change the row must satisfy the policy that allowed it.
    func checkPolicyAfter(_ entity: Resource.Entity, _ effect: Step.Effect) throws {
        let operation: Policy.Operation = effect == .inserted ? .insert : .update
        guard
            let policy = core.planner.policies.access(operation, to: entity.set.names.wire, for: call.user).condition
        else { return }
        guard try writer.satisfies(policy, key: entity.key, in: entity.set, user: call.user) else {
            throw violation(operation, entity.set)
        }
    }
}

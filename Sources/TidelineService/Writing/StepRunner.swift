// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Carries out one step: admits it against the row as it is, changes the row, and looks at the policy again.
struct StepRunner {
    let core: Core
    let writer: any StoreWriter
    let call: Call
    let step: Step

    var resolver: Resolver { Resolver(planner: core.planner, reader: writer, call: call) }

    func run() throws {
        switch step.verb {
        case .insert: try insert()
        case .update(let replaces): try update(replaces: replaces)
        case .delete: try delete()
        }
    }

    private func insert() throws {
        let resource = try resolver.resolve()
        if case .reference(let source, let navigation, _) = resource { return try bind(source, navigation) }
        guard case .collection(let collection) = resource else {
            throw ReadHandler.notAllowed(
                "Entities are made by POST to an entity set or a collection of related entities."
            )
        }
        let set = collection.set
        try mayWrite(.insert, set)
        let write = EntityWrite(core: core, writer: writer, call: call, set: set)
        var values = try write.values(of: try write.body(), isInsert: true)
        values.merge(collection.link) { _, link in link }
        try insert(values, into: set, write)
    }

    private func insert(_ given: [Int: Value], into set: EntitySet, _ write: EntityWrite) throws {
        var values = given
        try write.complete(&values, isInsert: true)
        try write.checkReferences(values, current: nil)
        let key = try withholding(.insert, set, values) { try writer.insert(values, into: set) }
        step.entity = Resource.Entity(set: set, key: key)
        step.effect = .inserted
        try checkPolicyAfter(.inserted)
    }

    private func update(replaces: Bool) throws {
        let resource = try resolver.resolve()
        switch resource {
        case .reference(let source, let navigation, _) where replaces: return try bind(source, navigation)
        case .property(let entity, let place) where replaces: return try put(place, of: entity)
        default: break
        }
        let entity = try admit(.update, resource)
        let set = entity.set
        let write = EntityWrite(core: core, writer: writer, call: call, set: set)
        let body = try write.body()
        if let condition = body.etag, try ODataVersion.ofBody(call.fields) == .v401, !step.isParked, step.effect == nil
        {
            try check(condition, name: "@etag")
        }
        var values = try write.values(of: body, isInsert: step.current == nil)
        guard let current = step.current else {
            for (place, value) in zip(set.type.key, entity.key.values) { values[place] = value }
            return try insert(values, into: set, write)
        }
        if replaces { try write.complete(&values, isInsert: false) }
        try write.checkReferences(values, current: current)
        if !values.isEmpty {
            let isThere = try withholding(.update, set, values) { try writer.update(entity.key, values, in: set) }
            guard isThere else { throw ODataError.absentEntity(set.names.wire) }
        }
        step.effect = .updated
        try checkPolicyAfter(.updated)
    }

    private func delete() throws {
        let resource = try resolver.resolve()
        switch resource {
        case .reference(let source, let navigation, let target): return try unbind(source, navigation, target)
        case .property(let entity, let place): return try change(entity, [place: .null])
        default: break
        }
        let entity = try admit(.delete, resource)
        guard try writer.delete(entity.key, in: entity.set) else {
            throw ODataError.absentEntity(entity.set.names.wire)
        }
        step.effect = .deleted
    }

    /// Changes some values of an entity that is there.
    func change(_ entity: Resource.Entity, _ values: [Int: Value]) throws {
        let entity = try admit(
            .update,
            .entity(Resource.Entity(set: entity.set, key: entity.key, isAddressedByKey: false))
        )
        let write = EntityWrite(core: core, writer: writer, call: call, set: entity.set)
        for (place, value) in values { try write.checkChange(of: place, to: value) }
        try write.checkReferences(values, current: step.current)
        let isThere = try withholding(.update, entity.set, values) {
            try writer.update(entity.key, values, in: entity.set)
        }
        guard isThere else { throw ODataError.absentEntity(entity.set.names.wire) }
        step.effect = .updated
        try checkPolicyAfter(.updated)
    }

    /// Finds the row and makes sure that it may be changed: once for each step, against the row as its turn comes.
    private func admit(_ operation: Policy.Operation, _ resource: Resource) throws -> Resource.Entity {
        if step.isAdmitted, let entity = step.entity { return entity }
        guard case .entity(let entity) = resource else {
            if case .nothing = resource { throw ODataError(.notFound, "There is no related entity.") }
            throw ReadHandler.notAllowed("\(call.method.rawValue) changes single entities.")
        }
        try mayWrite(operation, entity.set)
        let current = try resolver.visible(entity)
        let condition = try ETagCondition.read(.ifMatch, call.fields)
        if let current {
            try admit(operation, entity, current, condition)
        } else {
            // Preconditions speak of what is there: of nothing, no version is the right one.
            if condition != nil { throw preconditionFailed("If-Match") }
            let isUpsert = operation == .update && entity.isAddressedByKey && entity.restriction == nil
            guard isUpsert, !entity.set.type.hasGeneratedKey else {
                throw ODataError.absentEntity(entity.set.names.wire)
            }
            try mayWrite(.insert, entity.set)
        }
        step.entity = entity
        step.current = current
        step.isAdmitted = true
        return entity
    }

    private func admit(
        _ operation: Policy.Operation,
        _ entity: Resource.Entity,
        _ current: StoredEntity,
        _ condition: ETagCondition?
    ) throws {
        if let none = try ETagCondition.read(.ifNoneMatch, call.fields), none.matches(current.etag) {
            throw preconditionFailed("If-None-Match")
        }
        step.current = current
        if let condition {
            try check(condition, name: "If-Match")
        } else if core.domain.requiresIfMatch {
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
    }

    private func check(_ condition: ETagCondition, name: String) throws(ODataError) {
        if case .reference(let id) = condition {
            guard let reference = call.references[id] else { throw preconditionFailed(name) }
            // Of a request of the same group the row is as that request left it: nobody else can change it meanwhile.
            guard let etag = reference.etag else { return }
            guard etag == step.current?.etag else { throw preconditionFailed(name) }
            return
        }
        guard condition.matches(step.current?.etag) else { throw preconditionFailed(name) }
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

    /// Whether the set takes such changes from this user at all, whatever the row.
    private func mayWrite(_ operation: Policy.Operation, _ set: EntitySet) throws(ODataError) {
        if set.isReadOnly { throw ReadHandler.notAllowed("\(set.names.wire) can only be read.") }
        guard core.planner.policies.access(operation, to: set.names.wire, for: call.user) != .none else {
            throw ODataError(
                service: ServiceCode.accessDenied,
                "You may not \(operation.rawValue) entities of \(set.names.wire).",
                target: set.names.wire
            )
        }
    }

    /// Runs a change, and answers a taken key or value only where the row would be one that the policy allows.
    ///
    /// A unique value may hold the owner: whoever could ask for rows in the name of others would learn theirs.
    private func withholding<Result>(
        _ operation: Policy.Operation,
        _ set: EntitySet,
        _ values: [Int: Value],
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
                current: step.current
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
    func checkPolicyAfter(_ effect: Step.Effect) throws {
        let operation: Policy.Operation = effect == .inserted ? .insert : .update
        guard let entity = step.entity,
            let policy = core.planner.policies.access(operation, to: entity.set.names.wire, for: call.user).condition
        else { return }
        guard try writer.satisfies(policy, key: entity.key, in: entity.set, user: call.user) else {
            throw violation(operation, entity.set)
        }
    }
}

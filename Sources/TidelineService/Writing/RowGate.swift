// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// What is asked before a row is changed: the policies, whether it is there, whether it is of the version that is meant.
///
/// It only reads, so it can also be asked before the body of a request is taken at all.
struct RowGate {
    let core: Core
    let reader: any StoreReader
    let call: Call
    /// See ``Step/wasOfItsVersion``: what is there since then is the group's own doing, or that of the
    /// device's earlier transactions, as by a trigger.
    var wasOfItsVersion = false

    /// Under which conditions on its version a row may be changed.
    struct Conditions {
        var ifMatch: ETagCondition?
        var ifNoneMatch: ETagCondition?
        /// Whether a change that names no version is refused where the domain wants one.
        var isRequired = true

        /// For a row that is changed along with another, such as one that is tied to it.
        static let none = Conditions(isRequired: false)
    }

    var resolver: Resolver { Resolver(planner: core.planner, reader: reader, call: call) }

    /// The conditions that the request's header fields state.
    func headerConditions() throws(ODataError) -> Conditions {
        Conditions(
            ifMatch: try ETagCondition.read(.ifMatch, call.fields),
            ifNoneMatch: try ETagCondition.read(.ifNoneMatch, call.fields)
        )
    }

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
        if operation == .update, let known = call.known {
            try KnownKeys(model: core.planner.model, reader: reader, known: known).check(entity)
        }
        try checkConditions(conditions, current)
        let access = core.planner.policies.access(operation, to: entity.set.names.wire, for: call.user)
        if let policy = access.condition,
            try !reader.satisfies(policy, key: entity.key, in: entity.set, user: call.user)
        {
            throw Self.violation(operation, entity.set)
        }
        return current
    }

    /// Makes sure that a row is of a version that the request may change.
    func checkConditions(_ conditions: Conditions, _ current: StoredEntity) throws(ODataError) {
        try check(conditions, current)
        if conditions.ifMatch == nil, conditions.isRequired, core.domain.requiresIfMatch {
            throw ODataError(
                service: ServiceCode.preconditionRequired,
                "A change here names the version that it changes, with If-Match.",
                target: "If-Match"
            )
        }
    }

    /// Makes sure that a row is of the version that a request asks for.
    func check(_ conditions: Conditions, _ current: StoredEntity) throws(ODataError) {
        if let none = conditions.ifNoneMatch, none.matches(current.etag) { throw preconditionFailed("If-None-Match") }
        if let condition = conditions.ifMatch, !wasOfItsVersion {
            try check(condition, current, name: "If-Match")
        }
    }

    /// Makes sure that a row is of the version that a condition names.
    func check(_ condition: ETagCondition, _ current: StoredEntity?, name: String) throws(ODataError) {
        if case .reference(let id) = condition {
            guard let reference = call.reference(id) else { throw preconditionFailed(name) }
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

    static func violation(_ operation: Policy.Operation, _ set: EntitySet) -> ODataError {
        ODataError(
            service: ServiceCode.policyViolation,
            "You may not \(operation.rawValue) this entity of \(set.names.wire).",
            target: set.names.wire
        )
    }
}

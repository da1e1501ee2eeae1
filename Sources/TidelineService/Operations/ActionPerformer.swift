// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Performs the action that a POST calls, in the transaction of its group.
///
/// Source: OData Protocol 4.01, section 11.5.5.
struct ActionPerformer {
    let rows: RowWriter

    func perform(_ invocation: Invocation) throws {
        let operation = invocation.operation
        guard operation.kind == .action else {
            throw ReadHandler.notAllowed("\(operation.names.wire) is a function: it is called by GET.")
        }
        try checkJSON()
        let reader = ParameterReader(operation, model: rows.core.planner.model)
        let arguments = try reader.values(in: rows.call.body)
        if case .entity(let entity) = invocation.target {
            try admit(entity)
        } else {
            try ReadHandler.checkUnversioned(rows.call.fields)
        }
        let start = try? position(of: operation)
        let runner = OperationCaller(rows.resolver)
        let result = try runner.perform(invocation, arguments: arguments, writer: rows.writer)
        rows.step.effect = .called
        rows.step.entity = entity(result, operation)
        let isCreated = start.map { isNew(rows.step.entity, since: $0) } ?? false
        rows.step.reply = .result(result, operation, isCreated: isCreated)
    }

    /// A body that says what it is says that it is JSON.
    private func checkJSON() throws(ODataError) {
        guard !rows.call.body.isEmpty, let type = rows.call.fields[.contentType]?.lowercased(),
            !type.hasPrefix("application/json")
        else { return }
        throw ODataError(.unsupportedMediaType, "The body is not application/json.", target: "Content-Type")
    }

    /// Makes sure that the entity is there for the caller, in the version that the request names.
    private func admit(_ entity: Resource.Entity) throws {
        guard let current = try rows.resolver.visible(entity) else {
            throw ODataError.absentEntity(entity.set.names.wire)
        }
        // Tried again in a group, it is the row as the action's own turn found it.
        guard !rows.step.isAdmitted else { return }
        try rows.checkConditions(try rows.headerConditions(), current)
        rows.step.isAdmitted = true
    }

    // MARK: What was made

    private func entity(_ result: OperationResult, _ operation: EdmOperation) -> Resource.Entity? {
        guard let type = operation.returnType, !type.isCollection, let name = type.entitySet,
            let set = rows.core.planner.model[set: name], let key = result.keys.first
        else { return nil }
        return Resource.Entity(set: set, key: key, isAddressedByKey: false)
    }

    /// The end of the change log before the action, where that can tell whether it made the entity that it returns.
    private func position(of operation: EdmOperation) throws -> FeedPosition? {
        guard let type = operation.returnType, !type.isCollection, let name = type.entitySet,
            let set = rows.core.planner.model[set: name], !set.isReadOnly
        else { return nil }
        return try rows.writer.savepoint { try rows.writer.position() }
    }

    /// Whether the entity was not there at a position.
    private func isNew(_ entity: Resource.Entity?, since start: FeedPosition?) -> Bool {
        guard let entity, let start else { return false }
        var isNew = false
        // What the log cannot tell is answered as what was there before.
        try? rows.writer.savepoint {
            _ = try rows.writer.changes(ChangeQuery(set: entity.set, since: start)) { change in
                if change.key == entity.key { isNew = change.before == nil }
            }
        }
        return isNew
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// One change of a group: what the request asks for, and how far it has come.
///
///     asked → admitted (found, visible, allowed, of the right version) → done → answered
final class Step {
    enum Verb {
        case insert
        /// Merges the given values; `replaces` sets the others to their defaults, as PUT does.
        case update(replaces: Bool)
        case delete
    }

    /// What was done to which row.
    enum Effect {
        case inserted, updated, deleted
        /// An action was performed.
        case called
    }

    /// What the request is answered with.
    enum Reply {
        /// The entity that was made or changed.
        case entity
        /// Nothing but success.
        case nothing
        /// What the URL leads to, read again: a property.
        case resource
        /// The entities of the set that were changed.
        case entities([Resource.Entity])
        /// What a delta has done to a set, as a delta.
        case changes(EntitySet)
        /// What of a delta went wrong, as a delta.
        case failures([DeltaFailure], EntitySet)
        /// What an action gave.
        case result(OperationResult, EdmOperation, isCreated: Bool)
    }

    /// A row of which unique values were set aside.
    struct Parked {
        /// The row as it was.
        let row: StoredEntity
        /// The properties that have other values meanwhile.
        let places: [Int]

        /// What was set aside: what the request does not change comes back with its change.
        var values: [Int: Value] { Dictionary(uniqueKeysWithValues: places.map { ($0, row.values[$0]) }) }
    }

    let call: Call
    let verb: Verb
    /// The requests of the same group that this one refers to: it runs after them.
    let dependencies: Set<String>
    /// Whether it may refer to another request of the group: only then it is told what those were about.
    let mayRefer: Bool
    let id: String

    /// Whether the row was of the version that `If-Match` names when the group began, or nobody but the device that deletes
    /// it had changed it since; see ``GroupWriter``.
    var wasOfItsVersion = false
    /// The entity, once it is found or made.
    var entity: Resource.Entity?
    /// The row as it was when the request was admitted; `nil` when one is to be made.
    var current: StoredEntity?
    var isAdmitted = false
    var effect: Effect?
    /// Every row that the step has changed.
    var touched: [(entity: Resource.Entity, effect: Effect)] = []
    /// The versions of rows that the request named and that were the right ones.
    var seen: Set<ETag> = []
    /// What the step's changes replaced, the first of them.
    var replaced: [ReplacedValues] = []
    var reply = Reply.entity
    /// The body, where its nested entities say how deep the answer reaches.
    var body: EntityBody?
    /// Whether it was tried to set unique values of the row aside, to let others take them.
    var isParked = false
    /// The rows of which unique values were set aside.
    var parked: [RowAddress: Parked] = [:]

    /// Whether more replaced values are remembered.
    var remembersMore: Bool { replaced.count < ReplacedValues.most }

    init(call: Call, verb: Verb, id: String, dependencies: Set<String>, mayRefer: Bool) {
        self.call = call
        self.verb = verb
        self.id = id
        self.dependencies = dependencies
        self.mayRefer = mayRefer
    }

    /// Runs a part of the step in a savepoint: where it fails, what it noted is forgotten with what it changed.
    func attempt(on writer: any StoreWriter, _ body: () throws -> Void) throws {
        let before = (touched.count, replaced.count)
        do {
            try writer.savepoint(body)
        } catch {
            touched.removeLast(touched.count - before.0)
            replaced.removeLast(replaced.count - before.1)
            throw error
        }
    }
}

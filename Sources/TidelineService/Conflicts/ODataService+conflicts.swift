// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import TidelineModel
import TidelineOData
public import TidelineStorage

/// What administrators do with the conflict log of a domain; no policy stands in their way.
extension ODataService {
    /// Entries of the conflict log, the newest first.
    ///
    /// - Throws: ``StorageError``.
    public func conflicts(_ query: ConflictQuery = ConflictQuery()) throws -> [LoggedConflict] {
        try store.read { try $0.conflicts(query) }
    }

    /// Writes the values of an entry that lost again, over what is there now; a row that is gone is made again.
    ///
    /// Where the database makes the keys, the row that has the key of a deleted one is another, and stays.
    ///
    /// What that replaces comes into the log in its turn. All rules of the model hold. Properties that the model has no more
    /// are left out.
    ///
    /// - Parameters:
    ///   - user: who restores, for the log.
    ///   - now: seconds from 1970.
    /// - Returns: the names of what was left out.
    /// - Throws: `ODataError` where there is no such entry, nothing that can be written, a row that is gone of which the
    ///   entry has a part alone, or the write is refused.
    @discardableResult
    public func restore(conflict id: Int64, as user: UserContext = .anonymous, at now: Int64) throws -> [String] {
        try store.write { writer -> [String] in
            guard let conflict = try writer.conflicts(ConflictQuery(id: id)).first else {
                throw ODataError(.notFound, "There is no entry \(id) in the conflict log.")
            }
            guard let lost = conflict.lost else {
                throw ODataError(.notFound, "What lost is a deletion: delete the row to have it so.")
            }
            guard let set = domain.model[set: conflict.set] else {
                throw ODataError(.notFound, "The model has no set \(conflict.set) any more.")
            }
            let key = try KeyPredicate(parsing: String(conflict.key.dropFirst().dropLast())).key(for: set.type)
            let isOther = conflict.won == nil && set.type.hasGeneratedKey
            if isOther, let before = conflict.restoredAt {
                let when = DateTimeOffset(seconds: before).text
                throw ODataError(.notFound, "The row of entry \(id) was inserted again already, at \(when).")
            }
            let isThere = try !isOther && writer.entity(key, in: set) != nil
            guard isThere || conflict.isWhole else {
                throw ODataError(
                    .notFound,
                    "The row is not there, and entry \(id) has only what was changed in it: restore the entry of its "
                        + "deletion first, or insert the row again."
                )
            }
            let values = try RestorableValues(lost, of: set.type)
            guard !values.isEmpty else {
                throw ODataError(
                    .notFound,
                    "Nothing of entry \(id) can be written: \(conflict.set) has no \(values.missing.joined(separator: ", ")) "
                        + "any more."
                )
            }
            var unconditional = core.domain
            unconditional.requiresIfMatch = false
            let all = core.replacing(
                domain: unconditional,
                planner: Planner(
                    model: domain.model,
                    policies: .open,
                    limits: domain.limits,
                    operations: core.planner.operations
                )
            )
            var fields = HTTPFields()
            fields[.contentType] = "application/json"
            fields[.odataVersion] = "4.01"
            fields[.odataMaxVersion] = "4.01"
            let calls = CallReader(core: all, user: user, userName: user.name, root: "/")
            let call = try calls.call(
                isThere ? .patch : .post,
                isThere ? ResourceURL.entity(set: conflict.set, key: key, type: set.type) : conflict.set,
                fields,
                values.body
            )
            do {
                _ = try GroupWriter(core: all, writer: writer, isGuarded: false).run([(id: "restore", call: call)])
            } catch let failure as GroupFailure {
                throw failure.error
            }
            try writer.setRestored(conflict: id, at: now)
            return values.missing
        }
    }
}

extension LoggedConflict {
    /// Whether what lost is a whole row: one that was deleted, and not what somebody wanted to change in it.
    fileprivate var isWhole: Bool { won == nil && kind != .refused }
}

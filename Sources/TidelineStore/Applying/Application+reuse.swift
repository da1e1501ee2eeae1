// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows of the server that have the keys of others, which are gone.
extension Application {
    /// Applies the staged rows that have the keys of others which this device changed.
    ///
    /// These leave their keys before anything that refers to the new ones is applied.
    mutating func stageReused(_ set: SetLayout) throws {
        guard set.isGenerated else { return }
        let table = StagingTable(set, connection)
        for identity in effects.dirty where identity.set == set.index {
            guard let staged = try table.change(of: identity.key), staged.reason == 0,
                effects.isAnother(staged.row, identity)
            else { continue }
            try meet(identity, set)
        }
    }

    /// Holds what waits and refers to rows that are gone, but would refer to those which have their keys now; so is what is
    /// inserted again because it fell with them.
    ///
    /// What was sent says itself what it knew, and the service decides. A row that this device changed leaves its key, and
    /// what refers to it follows it: ``ServerEffects/moveAway(_:for:)``.
    ///
    /// - Parameter table: the hidden table of the set with the rows that come.
    func holdMisplaced(_ set: SetLayout, by table: String) throws {
        guard set.isGenerated, !set.incoming.isEmpty, !effects.log.entries.isEmpty else { return }
        let mark = ETagText.reuse
        let coming = try connection.query(
            """
            SELECT \(set.list(set.key)), tideline_etag FROM main.\(table)
            WHERE substr(tideline_etag, \(mark.place), \(mark.characters.count)) = '\(mark.characters)'
            """
        ) { statement in
            let key = try set.key.enumerated().map { try set.columns[$1].value(statement.value(Int32($0))) }
            return (key: key, etag: ETagText.etag(statement.string(Int32(set.key.count))))
        }
        let dirty = effects.dirty
        for (key, etag) in coming {
            let identity = RowIdentity(set: set.index, key: key)
            guard !dirty.contains(identity), let known = ETagText.etag(try connection.row(set, key)?.etag),
                known.reuse != etag?.reuse
            else { continue }
            effects.replaced.insert(identity)
            try effects.holdChanges(below: identity)
        }
    }
}

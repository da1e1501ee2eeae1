// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// One change of a pending transaction.
package struct PendingChange: Hashable, Sendable {
    /// Another change, by its transaction and its place in it.
    package struct Reference: Hashable, Sendable {
        package var number: Int64
        /// The place in ``PendingTransaction/changes``.
        package var place: Int

        package init(number: Int64, place: Int) {
            self.number = number
            self.place = place
        }
    }

    /// A foreign key whose value is a temporary key.
    package struct TemporaryReference: Hashable, Sendable {
        /// The place of the navigation property in the entity type; it holds the foreign key.
        package var navigation: Int
        /// The pending insert that makes the entity.
        package var target: Reference
    }

    /// What was done: the set, the key, and the values before and after.
    ///
    /// An insert assigns every property that was given a value or has a default; properties that are local only or
    /// that the database makes are left out of what travels, not of this list. A delete has the values that were known.
    package var change: Change
    /// The version that the change was made on; `nil` for an insert, and for a row whose version is not known.
    package var baseETag: ETag?
    /// Whether the key is temporary, to be replaced by the one that the server makes.
    package var hasTemporaryKey: Bool
    /// The pending change of the same row before this one, in this or an earlier transaction.
    package var previous: Reference?
    /// The foreign keys that this change sets to temporary keys.
    package var temporaryReferences: [TemporaryReference]
    /// The inserts of earlier transactions, of keys that are known, that this change refers to.
    package var earlierInserts: [Reference] = []
    /// For a deletion, the updates of earlier transactions that took rows away from the one that goes, or gave it some:
    /// before them the service would take these rows along.
    package var earlierMoves: [Reference] = []
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A row of the server that has the key of another one, which is deleted there and has changes of this device.
extension ServerEffects {
    /// Whether the server's row is another one than that which this device changed: its ETag tells another use of the key.
    func isAnother(_ theirs: StoredRow?, _ identity: RowIdentity) -> Bool {
        guard layout.sets[identity.set].isGenerated, let now = ETagText.etag(theirs?.etag)?.reuse,
            let known = changes(of: identity).lazy.compactMap({ ETagText.etag($0.etag) }).first
        else { return false }
        return known.reuse != now
    }

    /// Gives the row that this device changed a temporary key, under which it meets that it was deleted, and its old key
    /// to the server's.
    func moveAway(_ identity: RowIdentity, for theirs: StoredRow) throws {
        let set = layout.sets[identity.set]
        try dropBase(identity)
        let moved = try giveTemporaryKey(identity, set, isReused: true)
        try meet(moved, nil)
        try show(identity, theirs)
    }
}

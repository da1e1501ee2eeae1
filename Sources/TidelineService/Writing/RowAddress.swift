// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// A row, by the wire name of its set and its key.
struct RowAddress: Hashable {
    var set: String
    var key: Key

    init(set: String, key: Key) {
        self.set = set
        self.key = key
    }

    init(_ entity: Resource.Entity) {
        set = entity.set.names.wire
        key = entity.key
    }

    /// The row that a request names by its set and key; `nil` where its path is another.
    init?(_ call: Call, _ model: EntityModel) {
        guard case .name(let name, let predicate?)? = call.target.path.segments.first,
            call.target.path.segments.count == 1, let set = model[named: name],
            let key = try? predicate.key(for: set.type)
        else { return nil }
        self.set = name
        self.key = key
    }
}

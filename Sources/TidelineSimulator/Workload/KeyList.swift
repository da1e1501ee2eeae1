// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// The keys of a set, as a plan over its key columns pushes them.
struct KeyList {
    let collector: ValueCollector

    init(_ set: EntitySet) { collector = ValueCollector(set.type.key.map { set.type.properties[$0].type }) }

    func keys() throws -> [Key] { try collector.rows().map(Key.init) }
}

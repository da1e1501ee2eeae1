// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

/// A database filled with the rows of ``StoreFixture``, and short ways to ask it.
final class World {
    let backend: any StoreUnderTest
    var store: any Store { backend.store }

    init(_ backend: any StoreUnderTest) throws {
        self.backend = backend
        try StoreFixture.fill(backend.store)
    }

    /// A set of the store's model.
    func set(_ wire: String) throws -> EntitySet { try #require(store.model[set: wire]) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

/// The sets whose rows a store holds: what others lack there says nothing of the service.
struct HeldSets {
    /// In the order of the model.
    private let names: [String]
    private let origin: StoreOrigin?

    init(_ store: LocalStore) throws {
        origin = try store.identity().origin
        // A store without a service is all there is.
        names = origin == nil ? store.model.sets.map(\.names.wire) : try store.subscriptions().map(\.set)
    }

    func contains(_ set: String) -> Bool { names.contains(set) }

    /// - Throws: ``CommandFailure`` for a set that the store does not hold.
    func require(_ sets: [String]) throws {
        guard let missing = sets.first(where: { !contains($0) }) else { return }
        let options = (names + [missing]).map { "--set " + ShellWord.quoted($0) }.joined(separator: " ")
        let service = ShellWord.quoted(origin?.serviceURL ?? "URL")
        throw CommandFailure(
            "The store does not hold \(missing); it holds \(PlainText.list(names)).",
            next: "Clone a store that does: tideline clone \(service) FILE \(options)"
        )
    }
}

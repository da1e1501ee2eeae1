// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A save met objects that somebody else changed; nothing was saved.
///
/// `EditingContext.resolve(_:_:)` ends each of them, and the save can be tried again.
public struct StaleObjectsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// All of them, in the order of the model's sets.
    public var objects: [StaleObject]

    public var description: String {
        let sets = Set(objects.map(\.set)).sorted().joined(separator: ", ")
        return objects.count == 1
            ? "An object of \(sets) was changed by somebody else since it was read."
            : "\(objects.count) objects of \(sets) were changed by somebody else since they were read."
    }
}

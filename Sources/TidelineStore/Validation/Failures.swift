// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What the changes of one transaction break, in the order in which it was noticed.
struct Failures {
    /// So many are told at the most: at this number the transaction ends at once.
    static let limit = 1000

    private struct Entry: Hashable {
        var code: LocalStoreError.Code
        var failure: ValidationFailure
        /// What the store's error names, where that is not what the failure names.
        var set: String
        var properties: [String]
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    var all: [ValidationFailure] { entries.map(\.failure) }

    /// Notes a failure.
    ///
    /// - Throws: the error of them all when there are too many to go on.
    mutating func add(
        _ code: LocalStoreError.Code,
        _ failure: ValidationFailure,
        set: String? = nil,
        properties: [String]? = nil
    ) throws {
        let entry = Entry(
            code: code,
            failure: failure,
            set: set ?? failure.set,
            properties: properties ?? failure.properties
        )
        entries.append(entry)
        if entries.count >= Failures.limit { try raise() }
    }

    /// Forgets what values of a row broke that it does not have any more.
    ///
    /// - Parameter properties: `nil` for all.
    mutating func forget(_ set: String, _ key: Key, _ properties: [String]? = nil) {
        guard !entries.isEmpty else { return }
        entries.removeAll { entry in
            guard entry.failure.set == set, entry.failure.key == key else { return false }
            return properties.map { Set(entry.failure.properties).isSubset(of: $0) } ?? true
        }
    }

    /// Whether a value of a row was refused that stands in one of these properties.
    func concerns(_ set: String, _ key: Key, _ properties: Set<String>) -> Bool {
        entries.contains {
            $0.failure.set == set && $0.failure.key == key && !properties.isDisjoint(with: $0.failure.properties)
        }
    }

    /// - Throws: the error of all failures, when there is one.
    func raise() throws { try Failures.raise(entries) }

    /// - Throws: the error of the failures that were not there before, when there is one.
    func raise(beyond before: Failures) throws {
        guard !entries.isEmpty else { return }
        let known = Set(before.entries)
        try Failures.raise(entries.filter { !known.contains($0) })
    }

    private static func raise(_ entries: [Entry]) throws {
        guard let first = entries.first else { return }
        var error = LocalStoreError(
            first.code,
            set: first.set,
            properties: first.properties,
            message: entries.prefix(10).map(\.failure.message).joined(separator: "\n")
        )
        if entries.count > 10 { error.message += "\n(\(entries.count - 10) more)" }
        error.failures = entries.map(\.failure)
        throw error
    }
}

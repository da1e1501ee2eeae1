// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// The conflicts that wait until a person decides; their changes lie in the quarantine meanwhile.
struct OpenQuestions {
    private let undecided: [Conflict]
    /// Whether the quarantine has what no question is about, and what builds on nothing that one is about.
    let leaveSomething: Bool

    init(_ store: LocalStore) throws {
        let quarantine = try store.quarantined()
        undecided = quarantine.isEmpty ? [] : try store.conflicts().filter(\.isOpen)
        let numbers = Set(undecided.map(\.transaction))
        var asked: Set<Int64> = []
        // Oldest first, so that what one builds on was looked at before.
        for entry in quarantine where numbers.contains(entry.number) || entry.dependsOn.map(asked.contains) ?? false {
            asked.insert(entry.id)
        }
        leaveSomething = asked.count < quarantine.count
    }

    /// The command that decides, or `nil` where nothing is open.
    ///
    /// - Parameter file: the store's.
    func advice(store file: String) -> String? {
        guard let first = undecided.first else { return nil }
        let id = undecided.count == 1 ? "\(first.id)" : "ID"
        return "Decide what counts: tideline conflicts \(ShellWord.quoted(file)) mine|theirs \(id)"
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What changes touch, so that it can be told which later ones build on them.
///
/// Later changes build on earlier ones that change the same row, that insert a row which they refer to, or that took
/// other rows away from one which they delete, gave it some, or deleted some of it, which the service would take along.
struct Ties {
    private let layout: StoreLayout
    private var rows = Set<RowIdentity>()
    private var inserted = Set<RowIdentity>()
    /// The rows that others were taken away from, given to, or deleted below.
    private var principals = Set<RowIdentity>()
    /// The sets of which unique values were touched.
    private var unique = Set<Int>()

    init(_ layout: StoreLayout, _ changes: [OutboxChange] = []) {
        self.layout = layout
        add(changes)
    }

    mutating func add(_ changes: [OutboxChange]) {
        for change in changes {
            rows.insert(change.identity)
            if change.operation == .insert {
                inserted.insert(change.identity)
            } else {
                principals.formUnion(change.principals(layout))
            }
            if touchesUnique(change) { unique.insert(change.set) }
        }
    }

    /// Whether changes build on these.
    func isBase(of changes: [OutboxChange]) -> Bool {
        changes.contains { change in
            rows.contains(change.identity) || change.operation == .delete && principals.contains(change.identity)
                || !inserted.isEmpty && refersToInserted(change)
        }
    }

    /// Whether changes may need a unique value that these give up: both touch unique values of one set.
    func mayFreeValues(for changes: [OutboxChange]) -> Bool {
        changes.contains { unique.contains($0.set) && touchesUnique($0) }
    }

    /// Whether changes refer to a row that these insert, whichever were made first.
    func insertsPrincipal(of changes: [OutboxChange]) -> Bool {
        !inserted.isEmpty && changes.contains(where: refersToInserted)
    }

    private func refersToInserted(_ change: OutboxChange) -> Bool {
        change.referred(layout).contains(where: inserted.contains)
    }

    private func touchesUnique(_ change: OutboxChange) -> Bool {
        let keys = layout.sets[change.set].set.type.uniqueKeys
        guard change.operation == .update else { return !keys.isEmpty }
        return change.assignments.contains { assignment in keys.contains { $0.contains(assignment.property) } }
    }
}

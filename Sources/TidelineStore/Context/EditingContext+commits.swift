// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What others commit: other contexts, a sync, whoever writes to the store.
extension EditingContext {
    /// Tells, for each moment at which there is something new, that ``catchUp()`` has something to look at.
    ///
    /// Nothing comes first; however many commits there were meanwhile, they are told once. Ends when the store is closed
    /// or the task is cancelled. To be read where the context is used:
    ///
    ///     for await _ in context.commits { try context.catchUp() }
    public var commits: ContextCommits { ContextCommits(CommitListener(store, Set(sets.indices))) }

    /// Takes notice of what others committed: objects without changes get the new values, those with changes keep
    /// them and are marked as stale, and keys that the server made take the place of temporary ones.
    ///
    /// Every fetch, look-up and save begins with it.
    /// - Returns: the objects concerned, which ``onRefresh`` is told too.
    @discardableResult
    public func catchUp() throws -> ContextNews {
        guard !isCatchingUp else { return ContextNews() }
        isCatchingUp = true
        defer { isCatchingUp = false }
        if let listener {
            forgotten.add(store.broadcaster.take(listener.id))
        } else if let parent {
            try parent.catchUp()
            for set in sets.indices where parent.editions[set] != seenEditions[set] { forgotten.add(whole: set) }
            seenEditions = parent.editions
        }
        guard !forgotten.isEmpty else { return ContextNews() }
        // Where a read fails, the next use looks at it again.
        let news = try notice(forgotten)
        forgotten = TouchedRows()
        if !news.isEmpty { onRefresh?(news) }
        return news
    }

    func notice(_ touched: TouchedRows) throws -> ContextNews {
        if parent == nil { try followKeys() }
        var news = ContextNews()
        let rows = knownRows.filter { row in
            guard row.presence == .stored || row.presence == .deleted else { return false }
            switch touched.sets[row.set.index] {
            case nil: return false
            case .whole: return true
            case .rows(let keys): return keys.contains(row.key)
            }
        }
        let stored = try storedRows(of: rows)
        for (row, values) in zip(rows, stored) { judge(row, values, &news) }
        for set in touched.sets.keys { touch(set) }
        return news
    }

    private func storedRows(of rows: [ManagedRow]) throws -> [[Value]?] {
        guard parent == nil else { return try rows.map { try $0.identity.flatMap { try storedRow($0) } } }
        return try store.reading { connection in
            try rows.map { row in try row.identity.flatMap { try connection.row(row.set.layout, $0.key)?.values } }
        }
    }

    private func judge(_ row: ManagedRow, _ stored: [Value]?, _ news: inout ContextNews) {
        guard stored != row.base else {
            row.isStale = false
            return
        }
        guard let stored else {
            if row.presence == .deleted || !row.hasChanges {
                detach(row)
                news.removed.append(row)
            } else {
                row.isStale = true
                news.stale.append(row)
            }
            return
        }
        if !row.hasChanges || row.presence == .stored && row.values == stored {
            row.take(stored)
            if row.edit != nil { row.edit?.before = stored }
            updateMembership(row)
            news.refreshed.append(row)
        } else {
            row.isStale = true
            news.stale.append(row)
        }
    }

    /// Reads an object again; what is pending of it stays.
    public func refresh(_ row: ManagedRow) throws {
        try catchUp()
        guard row.context === self, let identity = row.identity, row.presence == .stored || row.presence == .deleted
        else { return }
        var news = ContextNews()
        judge(row, try storedRow(identity), &news)
        if !news.isEmpty { onRefresh?(news) }
    }

    // MARK: Keys that the server made

    /// Gives objects, and what refers to them, the keys that took the place of temporary ones.
    ///
    /// The contexts over this one are asked too: they hold objects that this one let go.
    private func followKeys() throws {
        let asked = temporaryKeys()
        guard !asked.isEmpty else { return }
        let mapping = try store.reading { connection in
            var mapping: [RowIdentity: [Value]] = [:]
            for identity in asked {
                mapping[identity] = try connection.renamed(sets[identity.set].layout, identity.key)
            }
            return mapping
        }
        if !mapping.isEmpty { rename(mapping) }
    }

    /// The keys that may have been replaced, of objects and of what they refer to, here and in the contexts over this one.
    private func temporaryKeys() -> Set<RowIdentity> {
        var keys = Set<RowIdentity>()
        for row in knownRows {
            if row.presence != .new, let identity = row.identity, RenamedKeys.mayHave(identity.key) {
                keys.insert(identity)
            }
            guard row.hasChanges else { continue }
            for reference in row.set.layout.outgoing {
                for values in [row.values, row.base, row.edit?.before].compactMap({ $0 }) {
                    if let parent = principal(of: values, reference), RenamedKeys.mayHave(parent.key) {
                        keys.insert(parent)
                    }
                }
            }
        }
        for child in children { keys.formUnion(child.context?.temporaryKeys() ?? []) }
        return keys
    }
}

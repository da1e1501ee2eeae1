// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Pending changes as bytes: what an app keeps when it is put away, and brings back when it is started again.
extension EditingContext {
    /// Everything that is pending, edits that were not posted too, as bytes for a file of the app.
    ///
    /// - Parameters:
    ///   - screen: a text to keep with it, such as the way to the screen that is open.
    ///   - selection: objects to find again, such as the one that the screen shows.
    public func draft(screen: String = "", selection: [ManagedRow] = []) throws -> [UInt8] {
        var rows = changedRows
        // Edit mode without a change yet is part of the draft too.
        for row in knownRows + selection where row.edit != nil || selection.contains(row) {
            try row.load()
            if row.context === self, !rows.contains(row) { rows.append(row) }
        }
        let out = PackedBuffer()
        out.append(byte: DraftRow.version)
        out.text(screen)
        out.integer(Int64(rows.count))
        for row in rows { DraftRow(row).encode(to: out, row.set) }
        let places = selection.compactMap(rows.firstIndex)
        out.integer(Int64(places.count))
        for place in places { out.integer(Int64(place)) }
        return out.bytes
    }

    /// Makes the changes of a draft pending again, in a context without changes of its own.
    ///
    /// They stand on what they were made on: what others changed meanwhile is a conflict at the save, as if the context
    /// had never gone. Keys that a sync made meanwhile take the place of temporary ones. Properties that the model does
    /// not have any more are left out. No step of undo comes back.
    /// - Throws: ``LocalStoreError``: `corrupt` for bytes that are no draft, `unknownSet`, `unsupported` for a context
    ///   with changes; nothing is pending then.
    @discardableResult
    public func restore(draft: [UInt8]) throws -> RestoredDraft {
        guard !hasChanges else {
            throw LocalStoreError(.unsupported, message: "A draft is restored into a context without changes.")
        }
        try catchUp()
        let damaged = LocalStoreError(.corrupt, message: "The bytes are no draft of a context.")
        var screen = ""
        var found: [DraftRow] = []
        var places: [Int] = []
        try unsafe draft.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            guard reader.byte() == DraftRow.version, let text = reader.text(), let count = reader.count() else {
                throw damaged
            }
            screen = text
            for _ in 0..<count { found.append(try DraftRow(&reader, self)) }
            for _ in 0..<(reader.count() ?? 0) { places.append(reader.count() ?? -1) }
            guard !reader.isDamaged, places.allSatisfy(found.indices.contains) else { throw damaged }
        }
        renew(&found)
        let rows = found.map { $0.enter(self) }
        _ = try notice(.whole(store.layout))
        return RestoredDraft(screen: screen, selection: places.map { rows[$0] }.filter { $0.context === self })
    }

    /// Gives the new objects of a draft provisional keys of this context.
    private func renew(_ rows: inout [DraftRow]) {
        var mapping: [RowIdentity: [Value]] = [:]
        for row in rows where row.hasProvisionalKey {
            guard let old = row.set.identity(row.values) else { continue }
            var new = row.values
            for column in row.set.layout.columns where column.rule.isGeneratedKey {
                new[column.place] = provisionalKey(column)
            }
            mapping[old] = row.set.layout.key.map { new[$0] }
        }
        guard !mapping.isEmpty else { return }
        for place in rows.indices {
            let set = rows[place].set
            rows[place].values = renamed(rows[place].values, set, mapping, true) ?? rows[place].values
            rows[place].base = rows[place].base.map { renamed($0, set, mapping, true) ?? $0 }
            rows[place].before = rows[place].before.map { renamed($0, set, mapping, true) ?? $0 }
        }
    }
}

extension PackedReader {
    fileprivate mutating func count() -> Int? {
        guard case .integer(let number) = next(), number >= 0, number < 10_000_000 else { return nil }
        return Int(number)
    }
}

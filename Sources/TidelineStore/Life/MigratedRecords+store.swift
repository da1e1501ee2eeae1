// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Stores what was read in the old arrangement.
extension MigratedRecords {
    /// - Parameter connection: of the new layout, inside the same transaction.
    func store(_ connection: Connection) throws {
        try storeChanges(connection)
        try storeRows(connection)
        try storeConflicts(connection)
        try storeSubscriptions(connection)
        try DroppedChanges.add(dropped, connection)
    }

    private func storeChanges(_ connection: Connection) throws {
        if let last = log.entries.last { try PendingLog.retire(last.number, connection) }
        try connection.run("DELETE FROM main.tideline_outbox")
        for entry in log.entries where !entry.changes.isEmpty {
            try PendingLog.store(entry.changes, number: entry.number, connection)
        }
        for entry in quarantine {
            if entry.changes.isEmpty {
                try Quarantine.remove(entry.id, connection)
            } else {
                try Quarantine.store(entry.changes, id: entry.id, connection)
            }
        }
    }

    private func storeRows(_ connection: Connection) throws {
        try connection.run("DELETE FROM main.tideline_base")
        let effects = try ServerEffects(connection)
        for base in bases {
            try effects.setBase(RowIdentity(set: base.set.index, key: base.key), base.server)
        }
        try connection.run("DELETE FROM main.tideline_made")
        for row in made {
            try effects.noteMade(RowIdentity(set: row.set.index, key: row.key), number: row.number)
        }
        try connection.forgetRenamed()
        for pair in renamed { try effects.noteRenamed(pair.old, to: pair.new) }
    }

    private func storeConflicts(_ connection: Connection) throws {
        for (id, row) in conflicts {
            guard let row else {
                try connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(id) }
                continue
            }
            try connection.run("UPDATE main.tideline_conflicts SET set_name = ?, key = ?, record = ? WHERE id = ?") {
                $0.text(row.set)
                $0.blob(row.key)
                $0.blob(row.record)
                $0.integer(id)
            }
        }
    }

    // MARK: Subscriptions

    /// Gives subscriptions the new names; a set that has another form now is loaded anew with the next sync.
    private func storeSubscriptions(_ connection: Connection) throws {
        let old = try connection.query(
            "SELECT set_name, filter, properties, delta_link FROM main.tideline_subscriptions"
        ) { ($0.string(0) ?? "", $0.string(1), $0.string(2), $0.string(3)) }
        try connection.run("DELETE FROM main.tideline_subscriptions")
        for (name, filter, properties, link) in old {
            guard let index = mapping.old.model.setIndex(wire: name) else { continue }
            for target in mapping.targets(of: index) {
                let isSame = SubscriptionNames(target).isSame
                if !isSame { try connection.setMeta("reload_\(target.new.name)", "1") }
                try connection.run("INSERT OR REPLACE INTO main.tideline_subscriptions VALUES (?, ?, ?, ?)") {
                    $0.text(target.new.name)
                    let names = SubscriptionNames(target)
                    if let filter = filter.map(names.filter) { $0.text(filter) } else { $0.null() }
                    if let list = properties.map(names.list) { $0.text(list) } else { $0.null() }
                    if isSame, let link { $0.text(link) } else { $0.null() }
                }
            }
        }
        // A device that follows all sets follows those too that the new release brings.
        let followed = Set(old.map(\.0))
        guard mapping.old.sets.allSatisfy({ followed.contains($0.name) }) else { return }
        let mapped = Set(mapping.old.sets.flatMap { mapping.targets(of: $0.index).map(\.new.name) })
        for set in connection.layout.sets where !mapped.contains(set.name) {
            try connection.run("INSERT INTO main.tideline_subscriptions (set_name) VALUES (?)") { $0.text(set.name) }
        }
    }
}

/// The names of a subscription after a migration.
private struct SubscriptionNames {
    let mapped: MappedSet
    private let renamed: [String: String]

    init(_ mapped: MappedSet) {
        self.mapped = mapped
        var renamed: [String: String] = [:]
        for (column, source) in zip(mapped.new.columns, mapped.sources) {
            guard let place = source.place else { continue }
            renamed[mapped.old.columns[place].property.names.wire] = column.property.names.wire
        }
        self.renamed = renamed
    }

    /// Whether what crosses the wire has the same names and forms.
    var isSame: Bool {
        func travelling(_ set: SetLayout) -> [Property] {
            set.columns.map(\.property).filter { !$0.isLocalOnly }
        }
        return mapped.isPrimary && mapped.old.name == mapped.new.name
            && travelling(mapped.old).map(\.names.wire) == travelling(mapped.new).map(\.names.wire)
            && travelling(mapped.old).map(\.type) == travelling(mapped.new).map(\.type)
    }

    /// The properties of a list that are still there, by their new names, and those that are new.
    func list(_ properties: String) -> String {
        let known = properties.split(separator: ",").map(String.init)
        let added = zip(mapped.new.columns, mapped.sources).filter { $1.place == nil }.map(\.0.property.names.wire)
        return (known.compactMap { renamed[$0] } + added).joined(separator: ",")
    }

    /// The text of a filter with its properties renamed: words outside of quotes that no path leads to and no
    /// parenthesis follows.
    func filter(_ text: String) -> String {
        var result = ""
        var word = ""
        var isQuoted = false
        var last: Character = " "
        func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
        func flush(before next: Character?) {
            result += last != "/" && next != "(" ? renamed[word] ?? word : word
            if let end = word.last { last = end }
            word = ""
        }
        for character in text {
            if !isQuoted, isPart(character) {
                word.append(character)
                continue
            }
            flush(before: character)
            if character == "'" { isQuoted.toggle() }
            result.append(character)
            last = character
        }
        flush(before: nil)
        return result
    }
}

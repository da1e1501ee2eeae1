// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Foreign keys, checked on the rows as they end: of what was written here, and of what refers to what was deleted.
extension LocalTransaction {
    func checkReferences(_ changes: [OutboxChange]?) throws {
        for denial in denials { try check(denial) }
        if let changes {
            try checkReferences(of: changes)
            return
        }
        for (index, record) in records.enumerated() {
            guard let record, !layout.sets[index].outgoing.isEmpty else { continue }
            try checkInserts(record, layout.sets[index])
        }
    }

    private func check(_ denial: Denial) throws {
        let reference = denial.reference
        let child = layout.sets[reference.child]
        let parent = layout.sets[reference.parent]
        guard try !isStored(parent, reference.parentPlaces, denial.values) else { return }
        let isRefusal = reference.rule == .none
        let sql =
            "SELECT \(child.list(child.key)) FROM main.\(child.table) WHERE \(child.matches(reference.childPlaces))"
        let holders = try connection.query("\(sql) LIMIT \(isRefusal ? 1 : Failures.limit)") {
            connection.append(denial.values, reference.childPlaces, child, to: $0)
        } _: { statement in
            try child.key.enumerated().map { try child.columns[$1].value(statement.value(Int32($0))) }
        }
        let places = child.names(reference.childPlaces)
        for holder in holders {
            let failure =
                isRefusal
                ? ValidationFailure(
                    set: parent.name,
                    key: Key(denial.parent),
                    properties: navigations(from: parent, to: reference),
                    rule: .dependents,
                    arguments: ["dependents": .string(child.name)]
                ) : ValidationFailure(set: child.name, key: Key(holder), properties: places, rule: .required)
            try failures.add(.stillReferenced, failure, set: child.name, properties: places)
        }
    }

    /// The wire names of the navigation properties that lead from the principal over a foreign key.
    private func navigations(from parent: SetLayout, to reference: SetLayout.Reference) -> [String] {
        let found = parent.set.type.navigationProperties.filter { navigation in
            navigation.targetSet == layout.sets[reference.child].name && !navigation.isDependent
                && navigation.constraints.map(\.target) == reference.childPlaces
        }
        return found.prefix(1).map(\.names.wire)
    }

    private func checkReferences(of changes: [OutboxChange]) throws {
        struct Place: Hashable {
            var row: RowIdentity
            var reference: Int
        }
        var seen = Set<Place>()
        for change in changes where change.operation != .delete {
            let set = layout.sets[change.set]
            for (turn, reference) in set.outgoing.enumerated() {
                guard reference.childPlaces.contains(where: { change.after($0) != nil }),
                    seen.insert(Place(row: change.identity, reference: turn)).inserted
                else { continue }
                // What counts is how the row ends: a later change may have set another reference.
                guard let row = try connection.row(set, change.key) else { continue }
                let values = reference.childPlaces.map { row.values[$0] }
                if try !leadsSomewhere(reference, values) { try noteMissing(reference, Key(change.key)) }
            }
        }
    }

    /// The foreign keys of packed inserts; neighbours often refer to the same row, so each value is looked up once.
    private func checkInserts(_ record: PackedBuffer, _ set: SetLayout) throws {
        var known = [Set<[Value]>](repeating: [], count: set.outgoing.count)
        var missing = known
        let needed = Set(set.outgoing.flatMap(\.childPlaces))
        var last = [[Value]](repeating: [], count: set.outgoing.count)
        var reader = record.reader(from: 5)
        while !reader.isAtEnd {
            _ = reader.byte()
            _ = reader.word()
            var values = [Int: Value](minimumCapacity: needed.count)
            for column in set.columns {
                let stored = reader.next()
                if needed.contains(column.place) { values[column.place] = try column.value(stored) }
            }
            for (turn, reference) in set.outgoing.enumerated() {
                let key = reference.childPlaces.map { values[$0] ?? .null }
                guard key != last[turn] else { continue }
                last[turn] = key
                guard known[turn].insert(key).inserted else { continue }
                if try !leadsSomewhere(reference, key) { missing[turn].insert(key) }
            }
        }
        guard missing.contains(where: { !$0.isEmpty }) else { return }
        for change in try unsafe record.withBytes({ try unsafe OutboxRecord.decode($0, set) }) {
            for (turn, reference) in set.outgoing.enumerated()
            where missing[turn].contains(reference.childPlaces.map { change.row[$0] }) {
                try noteMissing(reference, Key(change.key))
            }
        }
    }

    private func noteMissing(_ reference: SetLayout.Reference, _ key: Key) throws {
        let child = layout.sets[reference.child]
        try failures.add(
            .missingReference,
            ValidationFailure(
                set: child.name,
                key: key,
                properties: child.names(reference.childPlaces),
                rule: .reference,
                arguments: ["references": .string(layout.sets[reference.parent].name)]
            )
        )
    }

    /// Whether a reference is null, leads to a row, or cannot be judged on this device.
    private func leadsSomewhere(_ reference: SetLayout.Reference, _ values: [Value]) throws -> Bool {
        guard !values.contains(.null) else { return true }
        let parent = layout.sets[reference.parent]
        if try isStored(parent, reference.parentPlaces, values) { return true }
        // That the row which it led to was deleted is told already, where that is refused.
        if denials.contains(where: { $0.reference == reference && $0.values == values }) { return true }
        let temporary = try parent.isGenerated ? connection.temporaryKeys() : 0..<0
        let isTemporary = values.contains { if case .integer(let key) = $0 { temporary.contains(key) } else { false } }
        let wasDeleted =
            reference.parentPlaces == parent.key && deleted.contains(RowIdentity(set: parent.index, key: values))
        return try !(isTemporary || wasDeleted || connection.holdsAll(of: parent))
    }

    private func isStored(_ set: SetLayout, _ places: [Int], _ values: [Value]) throws -> Bool {
        try connection.exists("SELECT 1 FROM main.\(set.table) WHERE \(set.matches(places))") {
            connection.append(values, places, set, to: $0)
        }
    }
}

extension Connection {
    /// Whether every row of a set that the user may read lies on the device, so that absence can be judged.
    func holdsAll(of set: SetLayout) throws -> Bool {
        let found = try query(
            "SELECT filter, delta_link FROM main.tideline_subscriptions WHERE set_name = ?",
            { $0.text(set.name) }
        ) { $0.isNull(0) && !$0.isNull(1) }
        if let whole = found.first { return whole }
        return try meta("service_url") == nil
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Stores the JSON objects of a briefcase in an empty store file.
final class BriefcaseContent {
    /// The settings of a store that go along.
    static let settings =
        [
            "client_id", "inherited", "owner", "service_url", "user_name", "last_number", KnownPositions.setting,
        ] + Connection.temporaryKeySettings + LocalStore.waitingSettings

    let connection: Connection
    let effects: ServerEffects
    private var layout: StoreLayout { connection.layout }
    private var transactions: [Int64: [OutboxChange]] = [:]
    /// The transactions that were sent and not answered.
    private var sent = Set<Int64>()
    private var held: [Int64: Quarantine.Entry] = [:]

    init(connection: Connection, effects: ServerEffects) {
        self.connection = connection
        self.effects = effects
    }

    /// Takes one line of the file of that name.
    func take(_ line: JSONValue, of file: String) throws {
        switch file {
        case "pending": try takeChange(line)
        case "base": try takeBase(line)
        case "conflicts": try takeConflict(line)
        case "subscriptions": try takeSubscription(line)
        case "made": try effects.noteMade(identity(line), number: number(line, "transaction"))
        default:
            guard file.hasPrefix("set.") else { throw damaged("the file '\(file)' is unknown") }
            let set = try layout.set(String(file.dropFirst(4)))
            try connection.insert(StoredRow(values: try row(line, set), etag: text(line, "@etag")), set)
        }
    }

    /// Stores what has to be whole, and the settings.
    func finish(_ head: JSONValue) throws {
        for (number, changes) in transactions {
            try PendingLog.store(changes, number: number, connection)
        }
        for number in sent {
            try connection.run("INSERT INTO main.tideline_sent (number, request, bytes) VALUES (?, x'', x'')") {
                $0.integer(number)
            }
        }
        for entry in held.values {
            try connection.run(
                """
                INSERT INTO main.tideline_quarantine (id, number, code, message, status, depends_on)
                VALUES (?, ?, ?, ?, ?, ?)
                """
            ) {
                $0.integer(entry.id)
                $0.integer(entry.number)
                $0.text(entry.code)
                $0.text(entry.message)
                $0.integer(Int64(entry.status))
                if let dependsOn = entry.dependsOn { $0.integer(dependsOn) } else { $0.null() }
            }
            try Quarantine.store(entry.changes, id: entry.id, connection)
        }
        for name in BriefcaseContent.settings { try connection.setMeta(name, text(head.member(["store"]), name)) }
    }

    // MARK: What waits

    private func takeChange(_ line: JSONValue) throws {
        let number = try number(line, "transaction")
        let reason = line.member(["quarantine"])
        guard reason != .null else {
            if line.member(["sent"]) == .boolean(true) { sent.insert(number) }
            transactions[number, default: []].append(try change(line, turn: transactions[number]?.count ?? 0))
            return
        }
        let id = try self.number(reason, "id")
        let status = try self.number(reason, "status")
        let dependsOn = reason.member(["dependsOn"]) == .null ? nil : try self.number(reason, "dependsOn")
        var entry =
            held[id]
            ?? Quarantine.Entry(
                id: id,
                number: number,
                code: text(reason, "code") ?? "",
                message: text(reason, "message") ?? "",
                status: Int(status),
                dependsOn: dependsOn,
                changes: []
            )
        entry.changes.append(try change(line, turn: entry.changes.count))
        held[id] = entry
    }

    private func change(_ line: JSONValue, turn: Int) throws -> OutboxChange {
        let identity = try identity(line)
        let set = layout.sets[identity.set]
        guard let operation = text(line, "operation").flatMap({ Change.Operation(rawValue: $0) }) else {
            throw damaged("a change has no operation")
        }
        var change = OutboxChange(
            set: identity.set,
            operation: operation,
            turn: turn,
            key: identity.key,
            etag: text(line, "etag"),
            row: [],
            assignments: []
        )
        guard operation == .update else {
            change.row = try row(line.member(["row"]), set)
            return change
        }
        guard case .object(let after) = line.member(["after"]) else { throw damaged("an update has no values") }
        change.assignments = try after.map { member in
            let column = try column(member.name, set)
            return Change.Assignment(
                property: column.place,
                before: try value(line.member(["before", member.name]), column),
                after: try value(member.value, column)
            )
        }.sorted { $0.property < $1.property }
        return change
    }

    // MARK: What the server said

    private func takeBase(_ line: JSONValue) throws {
        let identity = try identity(line)
        let row = line.member(["row"])
        guard row != .null else {
            return try effects.setBase(identity, line.member(["hidden"]) == .boolean(true) ? .outOfSight : .gone)
        }
        let values = try self.row(row, layout.sets[identity.set])
        try effects.setBase(identity, .row(StoredRow(values: values, etag: text(line, "etag"))))
    }

    private func takeConflict(_ line: JSONValue) throws {
        let identity = try identity(line)
        let set = layout.sets[identity.set]
        let clashes = try line.member(["properties"]).items.map { item in
            let column = try column(text(item, "name") ?? "", set)
            return ThreeWayMerge.Clash(
                property: column.place,
                base: try value(item.member(["base"]), column),
                mine: try value(item.member(["mine"]), column),
                theirs: try value(item.member(["theirs"]), column),
                mineWon: item.member(["mineWon"]) == .boolean(true),
                isJoined: item.member(["joined"]) == .boolean(true),
                isOpen: item.member(["open"]) == .boolean(true)
            )
        }
        let number = try number(line, "transaction")
        let noticed = try self.number(line, "noticed")
        try connection.run(
            """
            INSERT INTO main.tideline_conflicts (set_name, key, kind, number, noticed, record)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ) {
            self.effects.bind(identity, to: $0)
            $0.text(self.text(line, "kind") ?? "")
            $0.integer(number)
            $0.integer(noticed)
            $0.blob(ConflictRecord.encode(clashes, set))
        }
    }

    private func takeSubscription(_ line: JSONValue) throws {
        let set = try layout.set(text(line, "set") ?? "").name
        try connection.run("INSERT INTO main.tideline_subscriptions VALUES (?, ?, ?, ?)") {
            $0.text(set)
            for name in ["filter", "properties", "deltaLink"] {
                if let text = self.text(line, name) { $0.text(text) } else { $0.null() }
            }
        }
    }

    // MARK: Values

    private func identity(_ line: JSONValue) throws -> RowIdentity {
        let set = try layout.set(text(line, "set") ?? "")
        let items = line.member(["key"]).items
        guard items.count == set.key.count else { throw damaged("a key of '\(set.name)' has another number of values") }
        return RowIdentity(set: set.index, key: try zip(set.key, items).map { try value($1, set.columns[$0]) })
    }

    private func row(_ line: JSONValue, _ set: SetLayout) throws -> [Value] {
        guard case .object(let members) = line else { throw damaged("a row of '\(set.name)' is no object") }
        var values = [Value](repeating: .null, count: set.columns.count)
        for member in members where !member.name.hasPrefix("@") {
            let column = try column(member.name, set)
            values[column.place] = try value(member.value, column)
        }
        return values
    }

    private func column(_ name: String, _ set: SetLayout) throws -> DeviceColumn {
        guard let place = set.set.type.propertyIndex(wire: name) else {
            throw LocalStoreError(
                .migrationNeeded,
                set: set.name,
                properties: [name],
                message: "The briefcase has '\(set.name).\(name)', which the store's model does not know."
            )
        }
        return set.columns[place]
    }

    private func value(_ json: JSONValue, _ column: DeviceColumn) throws -> Value {
        guard json != .null else { return .null }
        let value = json.value(as: column.property.type)
        guard !value.isNull else { throw damaged("a value of '\(column.property.names.wire)' has another type") }
        return value
    }

    private func text(_ line: JSONValue, _ name: String) -> String? {
        guard case .string(let text) = line.member([name]) else { return nil }
        return text
    }

    private func number(_ line: JSONValue, _ name: String) throws -> Int64 {
        guard case .number(let text) = line.member([name]), let number = Int64(text) else {
            throw damaged("'\(name)' is no number")
        }
        return number
    }

    private func damaged(_ what: String) -> LocalStoreError {
        LocalStoreError(.damagedBriefcase, message: "The briefcase is damaged: \(what).")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The content of a store as JSON objects, in one snapshot.
struct BriefcaseExport {
    let connection: Connection
    let effects: ServerEffects

    func head(_ briefcase: Briefcase, _ files: [JSONValue.Member]) throws -> JSONValue {
        var head: [JSONValue.Member] = [
            .init(name: "format", value: .number(String(Briefcase.format))),
            .init(name: "version", value: .string(briefcase.version)),
            .init(
                name: "properties",
                value: .object(
                    briefcase.properties.sorted { $0.key < $1.key }.map {
                        .init(name: $0.key, value: .string($0.value))
                    }
                )
            ),
            .init(name: "files", value: .object(files)),
        ]
        var store: [JSONValue.Member] = []
        for name in BriefcaseContent.settings {
            if let value = try connection.meta(name) { store.append(.init(name: name, value: .string(value))) }
        }
        head.append(.init(name: "store", value: .object(store)))
        return .object(head)
    }

    // MARK: Rows

    func rows(of set: SetLayout, _ write: (JSONValue) throws -> Void) throws {
        let statement = try connection.statement(
            "SELECT \(set.list(set.columns.indices)), tideline_etag FROM main.\(set.table) ORDER BY \(set.list(set.key))"
        )
        defer { statement.reset() }
        while try statement.step() {
            let row = try Connection.row(statement, set)
            var members = self.members(row.values, set)
            if let etag = row.etag { members.insert(.init(name: "@etag", value: .string(etag)), at: 0) }
            try write(.object(members))
        }
    }

    private func members(_ values: [Value], _ set: SetLayout) -> [JSONValue.Member] {
        zip(set.columns, values).map { .init(name: $0.property.names.wire, value: JSONValue($1)) }
    }

    private func identity(_ identity: RowIdentity) -> [JSONValue.Member] {
        [
            .init(name: "set", value: .string(effects.layout.sets[identity.set].name)),
            .init(name: "key", value: .array(identity.key.map { JSONValue($0) })),
        ]
    }

    private func text(_ name: String, _ value: String?) -> [JSONValue.Member] {
        value.map { [.init(name: name, value: .string($0))] } ?? []
    }

    private func number(_ name: String, _ value: Int64) -> JSONValue.Member {
        .init(name: name, value: .number(String(value)))
    }

    // MARK: What waits

    func pending(_ write: (JSONValue) throws -> Void) throws {
        for entry in effects.log.entries {
            let sent: [JSONValue.Member] = entry.isFrozen ? [.init(name: "sent", value: .boolean(true))] : []
            for change in entry.changes {
                try write(.object([number("transaction", entry.number)] + sent + members(change)))
            }
        }
        for entry in effects.quarantine {
            let reason: [JSONValue.Member] =
                [
                    number("id", entry.id), .init(name: "code", value: .string(entry.code)),
                    .init(name: "message", value: .string(entry.message)), number("status", Int64(entry.status)),
                ] + (entry.dependsOn.map { [number("dependsOn", $0)] } ?? [])
            for change in entry.changes {
                try write(
                    .object(
                        [number("transaction", entry.number), .init(name: "quarantine", value: .object(reason))]
                            + members(change)
                    )
                )
            }
        }
    }

    private func members(_ change: OutboxChange) -> [JSONValue.Member] {
        let set = effects.layout.sets[change.set]
        var members = identity(change.identity)
        members.append(.init(name: "operation", value: .string(change.operation.rawValue)))
        members += text("etag", change.etag)
        switch change.operation {
        case .insert, .delete: members.append(.init(name: "row", value: .object(self.members(change.row, set))))
        case .update:
            func side(_ name: String, _ value: (Change.Assignment) -> Value) -> JSONValue.Member {
                .init(
                    name: name,
                    value: .object(
                        change.assignments.map {
                            .init(name: set.columns[$0.property].property.names.wire, value: JSONValue(value($0)))
                        }
                    )
                )
            }
            members += [side("before", \.before), side("after", \.after)]
        }
        return members
    }

    // MARK: What the server said

    func base(_ write: (JSONValue) throws -> Void) throws {
        for identity in effects.dirty {
            guard let base = try effects.base(identity) else { continue }
            var members = self.identity(identity)
            switch base {
            case .row(let row):
                members += text("etag", row.etag)
                let values = self.members(row.values, effects.layout.sets[identity.set])
                members.append(.init(name: "row", value: .object(values)))
            case .outOfSight: members.append(.init(name: "hidden", value: .boolean(true)))
            case .gone: break
            }
            try write(.object(members))
        }
    }

    func conflicts(_ write: (JSONValue) throws -> Void) throws {
        for conflict in try LocalStore.conflicts(connection) {
            let properties = conflict.properties.map { property in
                var members: [JSONValue.Member] = [
                    .init(name: "name", value: .string(property.name)),
                    .init(name: "base", value: JSONValue(property.base)),
                    .init(name: "mine", value: JSONValue(property.mine)),
                    .init(name: "theirs", value: JSONValue(property.theirs)),
                    .init(name: "mineWon", value: .boolean(property.mineWon)),
                ]
                if property.isJoined { members.append(.init(name: "joined", value: .boolean(true))) }
                if property.isOpen { members.append(.init(name: "open", value: .boolean(true))) }
                return JSONValue.object(members)
            }
            try write(
                .object([
                    .init(name: "set", value: .string(conflict.set)),
                    .init(name: "key", value: .array(conflict.key.values.map { JSONValue($0) })),
                    .init(name: "kind", value: .string(conflict.kind.rawValue)),
                    number("transaction", conflict.transaction), number("noticed", conflict.noticedAt.seconds),
                    .init(name: "properties", value: .array(properties)),
                ])
            )
        }
    }

    func subscriptions(_ write: (JSONValue) throws -> Void) throws {
        let rows = try connection.query(
            "SELECT set_name, filter, properties, delta_link FROM main.tideline_subscriptions ORDER BY set_name"
        ) { ($0.string(0), $0.string(1), $0.string(2), $0.string(3)) }
        for (set, filter, properties, link) in rows {
            try write(
                .object(
                    text("set", set) + text("filter", filter) + text("properties", properties)
                        + text("deltaLink", link)
                )
            )
        }
    }

    func made(_ write: (JSONValue) throws -> Void) throws {
        for (identity, number) in try effects.allMade() {
            try write(.object(self.identity(identity) + [self.number("transaction", number)]))
        }
    }
}

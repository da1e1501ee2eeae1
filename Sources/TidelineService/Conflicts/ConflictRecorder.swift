// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Writes what loses into the conflict log of the database, in the transaction that decides it.
///
///     a write without a version            what it replaced                                     unseen
///     a device's write of an old version   what the device wanted; the entry is open            refused
///     its next write of that row           what it replaced of what it was refused for          decided
///     its next deletion of that row        the whole row, in the place of a refused deletion    decided
///
/// An entry is open until its device has written the row again, in whatever property: a change that is accepted closes it.
///
/// A device that is refused asks the conflict policy of the model, and either gives up its values or writes again over
/// the version that it has seen since. Both lose nothing that is not in the log.
struct ConflictRecorder {
    let core: Core
    let writer: any StoreWriter
    /// The device, or `nil` for a client that is none.
    let sender: RepeatableRequest?

    // MARK: Accepted

    /// Records what the steps of a group have replaced.
    ///
    /// - Parameter steps: the steps in the order in which they went through: what one replaced another may have made.
    func record(_ steps: [Step]) throws {
        let open = try closeOpen(of: steps)
        guard steps.contains(where: { !$0.replaced.isEmpty }) else { return }
        var rows: [RowAddress: GroupRow] = [:]
        for step in steps {
            for replaced in step.replaced {
                let address = RowAddress(replaced.entity)
                var row = rows[address] ?? GroupRow()
                if step.seen.contains(replaced.version), row.isNew || step.wasOfItsVersion { row.isKnown = true }
                if let lost = row.lost(to: replaced) {
                    if !row.isKnown {
                        try add(.unseen, lost, step.call)
                    } else if let refused = open[address], let met = refused.meeting(lost) {
                        try add(.decided, met, step.call)
                        if met.after == nil { try remove(refused.deletions) }
                    }
                }
                row.add(replaced)
                rows[address] = row
            }
            let named = step.entity.map(RowAddress.init)
            for (entity, effect) in step.touched {
                let address = RowAddress(entity)
                var row = rows[address] ?? GroupRow()
                row.add(effect, of: step, isNamed: named == address)
                if effect == .inserted, open[address] != nil {
                    row.written.formUnion(entity.set.type.properties.indices)
                }
                rows[address] = row
            }
        }
    }

    /// Closes the open entries of the device for the rows that a group has written.
    ///
    /// What it was refused for in other rows, the device decides with other groups.
    ///
    /// - Returns: what the entries were about.
    private func closeOpen(of steps: [Step]) throws -> [RowAddress: RefusedProperties] {
        // Most devices have no entry: the keys need not be written then.
        guard let sender, try !writer.conflicts(ConflictQuery(openOf: sender.client, limit: 1)).isEmpty else {
            return [:]
        }
        var rows: [String: [String: RowAddress]] = [:]
        for (entity, _) in steps.flatMap(\.touched) {
            let row = RowAddress(entity)
            rows[row.set, default: [:]][Self.key(row, entity.set)] = row
        }
        var open: [RowAddress: RefusedProperties] = [:]
        for (set, rows) in rows {
            let asked = ConflictQuery.Rows(set: set, keys: Set(rows.keys))
            let query = ConflictQuery(openOf: sender.client, rows: asked, limit: Self.mostAtOnce)
            var found: [LoggedConflict]
            repeat {
                found = try writer.conflicts(query)
                for conflict in found {
                    try writer.close(conflict: conflict.id)
                    guard let row = rows[conflict.key] else { continue }
                    open[row, default: RefusedProperties()].add(conflict)
                }
            } while found.count == Self.mostAtOnce
        }
        return open
    }

    /// Takes the entries of refused deletions out, once the device has deleted the row after all.
    ///
    /// No deletion has lost then, and what the row was is in the entry of the one that was done.
    private func remove(_ deletions: [Int64]) throws {
        for id in deletions { try writer.remove(conflict: id) }
    }

    /// The most entries that are in memory at once.
    private static let mostAtOnce = 1_000

    private func add(_ kind: LoggedConflict.Kind, _ replaced: ReplacedValues, _ call: Call) throws {
        let set = replaced.entity.set
        try log(
            kind,
            set,
            Self.key(RowAddress(replaced.entity), set),
            lost: json(replaced.before, set),
            won: replaced.after.map { json($0, set) },
            places: replaced.before.map(\.place),
            call
        )
    }

    // MARK: Refused

    /// Records what a device wanted where it was refused because its version is no longer the row's.
    ///
    /// - Parameter call: the request that failed.
    func record(_ failure: GroupFailure, of call: Call) throws {
        guard failure.error.code == ServiceCode.preconditionFailed, let row = RowAddress(call, core.planner.model),
            let set = core.planner.model[set: row.set]
        else { return }
        let current = try writer.entity(row.key, in: set)
        var wanted: [ReplacedValues.Assignment]?
        var lost: String?
        if call.method != .delete {
            let body = try? EntityWrite(core: core, writer: writer, call: call, set: set).body()
            wanted = body?.assignments.map { ($0.property, $0.value) } ?? []
            // What cannot be read, as of a property that the model has no longer, is kept as it was sent.
            lost = wanted.map { json($0, set) }
            if body == nil { lost = String(decoding: call.body, as: UTF8.self) }
        }
        let places = wanted?.map(\.place) ?? Array(set.type.properties.indices)
        let won = current.map { row in json(places.map { ($0, row.values[$0]) }, set) }
        // The row is as it wanted it, or gone as it wanted it: nothing lost.
        if lost == won { return }
        try log(.refused, set, Self.key(row, set), lost: lost, won: won, places: places, call)
    }

    // MARK: Both

    private func log(
        _ kind: LoggedConflict.Kind,
        _ set: EntitySet,
        _ key: String,
        lost: String?,
        won: String?,
        places: [Int],
        _ call: Call
    ) throws {
        var conflict = LoggedConflict(
            kind: kind,
            set: set.names.wire,
            key: key,
            lost: lost,
            won: won,
            time: core.now?() ?? 0
        )
        conflict.user = GroupHandler.user(call.user, call.userName)
        conflict.client = sender?.client
        conflict.request = sender?.id
        conflict.policy = policy(places, of: set.type)
        conflict.isOpen = kind == .refused
        try writer.log(conflict)
    }

    private func json(_ values: [ReplacedValues.Assignment], _ set: EntitySet) -> String {
        ReplacedValues.json(values, of: set.type, in: core.planner.model)
    }

    private static func key(_ row: RowAddress, _ set: EntitySet) -> String {
        ResourceURL.predicate(row.key, type: set.type)
    }

    /// The policies that the model states for properties, or else for the type: `lastEdit`, `Total maximum, Tags union`.
    private func policy(_ places: [Int], of type: EntityType) -> String? {
        let own = places.compactMap { place in
            type.properties[place].conflictPolicy.map { "\(type.properties[place].names.wire) \($0.text)" }
        }
        let all = own + [type.conflictPolicy?.text].compactMap { $0 }
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Writes what loses into the conflict log of the database, in the transaction that decides it.
///
///     a write without a version            what it replaced                                     unseen
///     a device's write of an old version   what the device wanted; the entry stays open         refused
///     its next write that is accepted      what it replaced in the row it was refused for       decided
///
/// A device that is refused asks the conflict policy of the model, and either gives up its values or writes again over
/// the version that it has seen since. Both lose nothing that is not in the log.
struct ConflictRecorder {
    let core: Core
    let writer: any StoreWriter
    /// The device, or `nil` for a client that is none.
    let sender: RepeatableRequest?

    /// The most entries of one device that wait for its decision.
    private static let mostOpen = 1_000

    // MARK: Accepted

    /// Records what the steps of a group have replaced.
    func record(_ steps: [Step]) throws {
        guard steps.contains(where: { !$0.replaced.isEmpty || $0.effect == .inserted }) else { return }
        let open = Dictionary(grouping: try openConflicts()) { OpenRow(set: $0.set, key: $0.key) }
        // What the group itself has written before is nobody else's.
        var own: Set<RowAddress> = []
        for step in steps {
            for replaced in step.replaced {
                let row = RowAddress(replaced.entity)
                guard !own.contains(row) else { continue }
                if !step.seen.contains(replaced.version) {
                    try add(.unseen, replaced, step.call)
                } else if !open.isEmpty, open[OpenRow(replaced.entity)] != nil {
                    try add(.decided, replaced, step.call)
                }
            }
            own.formUnion(step.touched.map { RowAddress($0.entity) })
        }
        guard !open.isEmpty else { return }
        // What it was refused for in other rows, the device decides with other groups.
        for row in Set(steps.flatMap(\.touched).map { OpenRow($0.entity) }) {
            for conflict in open[row] ?? [] { try writer.close(conflict: conflict.id) }
        }
    }

    /// A row as the log names it.
    private struct OpenRow: Hashable {
        var set: String
        var key: String

        init(set: String, key: String) {
            self.set = set
            self.key = key
        }

        init(_ entity: Resource.Entity) {
            self.init(set: entity.set.names.wire, key: ConflictRecorder.key(RowAddress(entity), entity.set))
        }
    }

    private func openConflicts() throws -> [LoggedConflict] {
        try sender.map { try writer.conflicts(ConflictQuery(openOf: $0.client, limit: Self.mostOpen)) } ?? []
    }

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
        try log(
            .refused,
            set,
            Self.key(row, set),
            lost: lost,
            won: current.map { row in json(places.map { ($0, row.values[$0]) }, set) },
            places: places,
            call
        )
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

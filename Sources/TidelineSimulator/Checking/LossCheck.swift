// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// V9: a value that another one overrode unseen is in a conflict log.
///
/// - What a device committed comes to the service, or was replaced on the device itself, or is in its log. A row may come
///   and fall within one request, into which no check looks: where it stands below one that somebody else moved below
///   another one, which the device deletes.
/// - What a device writes over on the service, it has seen before it wrote, or its log has it.
struct LossCheck: Check {
    static let number = "V9"

    private let model: EntityModel
    private let places: [[Int]]
    /// Every text that the service ever had, since it went back last.
    private var arrived: Set<String> = []
    /// The texts that each row of the service had since it came: a device may know it by any of them.
    private var stood: [[Key: Set<String>]]
    /// The texts of rows that came and fell within one request.
    private var fallen: Set<String> = []
    private var last: NodeState?
    /// Texts of the service that a device wrote over without having seen them, with the device.
    private var unseen: [String: String] = [:]
    private var wasRestored = false
    /// Whether a device got another file, and may have noted what the other one wrote.
    private var wasCopied = false
    /// The devices whose logs went with their files.
    private var replaced: Set<String> = []

    init(model: EntityModel) {
        self.model = model
        places = WrittenValue.places(in: model)
        stood = places.map { _ in [:] }
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state):
            follow(state, writes)
            return []
        case .restored:
            (last, arrived, stood) = (nil, [], places.map { _ in [:] })
            wasRestored = true
            return []
        case .replaced(let name, _):
            wasCopied = true
            replaced.insert(name)
            return []
        case .quiet(_, let devices):
            var logs = Dictionary(uniqueKeysWithValues: devices.map { ($0.name, LossCheck.texts($0.conflicts)) })
            if wasCopied {
                let all = logs.values.reduce(into: Set<String>()) { $0.formUnion($1) }
                logs = logs.mapValues { _ in all }
            }
            return lostOnTheWay(writes, logs) + lostThere(logs)
        default: return []
        }
    }

    /// The texts of a conflict log.
    private static func texts(_ conflicts: [Conflict]) -> Set<String> {
        Set(conflicts.flatMap(\.properties).flatMap { [$0.base, $0.mine, $0.theirs] }.compactMap { $0.text })
    }

    private mutating func follow(_ state: NodeState, _ writes: [Int: WriteRecord]) {
        let known = arrived
        for (index, rows) in state.sets.enumerated() {
            for (key, row) in rows {
                for place in places[index] {
                    guard case .string(let text) = row[place] else { continue }
                    arrived.insert(text)
                    stood[index][key, default: []].insert(text)
                    guard case .string(let before)? = last?.sets[index][key]?[place], before != text,
                        let event = WrittenValue.event(of: text), let write = writes[event], write.author != "direct",
                        !write.hasSeen(before, behind: text, writes), !isOfOtherTime(before, write.author, writes),
                        !hasFallen(row, of: index, in: state, since: known, writes)
                    else { continue }
                    unseen[before] = write.author
                }
            }
        }
        noteFallen(state, writes)
        last = state
    }

    /// Whether a device wrote over its own text after the service went back: the key of a row that was lost, which the
    /// device still knows and changed, was given to this one.
    private func isOfOtherTime(_ text: String, _ device: String, _ writes: [Int: WriteRecord]) -> Bool {
        wasRestored && WrittenValue.event(of: text).flatMap { writes[$0]?.author } == device
    }

    /// Notes the rows that devices put below those that are gone now, where the same device deleted some of these: they
    /// could only fall with them, so nothing else is to be known of them.
    private mutating func noteFallen(_ state: NodeState, _ writes: [Int: WriteRecord]) {
        var gone: Set<String> = []
        for (index, rows) in stood.enumerated() {
            for (key, texts) in rows where state.sets[index][key] == nil {
                gone.formUnion(texts)
                stood[index][key] = nil
            }
        }
        guard !gone.isEmpty else { return }
        let devices = Set(writes.values.filter { !writes.known($0.deleted).isDisjoint(with: gone) }.map(\.author))
        let above = writes.values.filter { devices.contains($0.author) }.flatMap(\.above)
        var count = -1
        while count < fallen.count {
            count = fallen.count
            for (text, rows) in above where !arrived.contains(text) && !writes.known(rows).isDisjoint(with: gone) {
                fallen.insert(text)
                gone.insert(text)
            }
        }
    }

    /// Whether the row of before fell with its berth, and this is another one under its key.
    ///
    /// The berth was deleted and inserted again since the last look: by the transaction of this row, or by one before it
    /// that came in the same request.
    private func hasFallen(
        _ row: [Value],
        of index: Int,
        in state: NodeState,
        since known: Set<String>,
        _ writes: [Int: WriteRecord]
    ) -> Bool {
        guard let berths = model.setIndex(wire: Regatta.berths) else { return false }
        return model.sets[index].type.navigationProperties.contains { navigation in
            guard navigation.isDependent, navigation.targetSet == Regatta.berths else { return false }
            let key = Key(navigation.constraints.map { row[$0.source] })
            guard let berth = state.sets[berths][key] else { return false }
            return places[berths].contains { isInserted(key, with: berth[$0].text, since: known, writes) }
        }
    }

    /// Whether a berth was inserted since these texts were known: of those that stood in it since, one came with that.
    private func isInserted(
        _ berth: Key,
        with text: String?,
        since known: Set<String>,
        _ writes: [Int: WriteRecord]
    ) -> Bool {
        var text = text
        while let now = text, !known.contains(now), let write = WrittenValue.event(of: now).flatMap({ writes[$0] }) {
            if write.rebuilt.contains(berth) || write.inserted.contains(now) { return true }
            text = write.overwrote[now]
        }
        return false
    }

    private func lostOnTheWay(_ writes: [Int: WriteRecord], _ logs: [String: Set<String>]) -> [String] {
        let replaced = Set(writes.values.flatMap(\.replaced))
        var found: [String] = []
        // Restored, the service has forgotten what it had, and with it the merges that led there.
        guard !wasRestored else { return [] }
        for write in writes.values where !write.isGivenUp && write.author != "direct" {
            for text in write.texts where !arrived.contains(text) && !replaced.contains(text) {
                if fallen.contains(text) || logs[write.author]?.contains(text) == true { continue }
                found.append("\(text) of \(write.author) never came to the service, and is in no log")
            }
        }
        return found.sorted()
    }

    private func lostThere(_ logs: [String: Set<String>]) -> [String] {
        unseen.filter { !replaced.contains($0.value) && logs[$0.value]?.contains($0.key) != true }
            .map { "\($0.value) wrote over \($0.key), which it had not seen, and its log does not have it" }.sorted()
    }
}

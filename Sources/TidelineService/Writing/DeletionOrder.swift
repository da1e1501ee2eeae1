// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// The order in which the steps of a group are tried: that of the requests, but that a row which the group deletes takes
/// nothing along that a later step is on.
///
/// A device deletes a row, and changes or moves one that somebody else has put below that meanwhile. In the order of the
/// requests the one would be gone before it is moved, and the group would fail for ever. A service may choose the order
/// within a group (OData JSON Format 4.01, section 19.1).
struct DeletionOrder {
    let reader: any StoreReader
    let model: EntityModel

    /// The places of the steps in the order in which they are tried.
    ///
    /// - Parameter address: the row that a step is on, as far as that is known before it runs.
    func places(of steps: [Step], address: (Step) -> RowAddress?) throws -> [Int] {
        let rows = steps.map(address)
        var deletions: [RowAddress: Int] = [:]
        for (place, step) in steps.enumerated() {
            if case .delete = step.verb, let row = rows[place], deletions[row] == nil { deletions[row] = place }
        }
        let below = below(deletions.keys.map(\.set))
        var ahead: [Int: [Int]] = [:]
        for (place, row) in rows.enumerated() {
            guard let row, below.contains(row.set) else { continue }
            let deletion = try above(row).compactMap { deletions[$0] }.min()
            // A row that is made again is another one than the row that falls.
            guard let deletion, deletion < place,
                !steps[deletion..<place].contains(where: { inserts($0, into: row.set) })
            else { continue }
            ahead[deletion, default: []].append(place)
        }
        guard !ahead.isEmpty else { return Array(steps.indices) }
        return places(of: steps, ahead)
    }

    private func places(of steps: [Step], _ ahead: [Int: [Int]]) -> [Int] {
        let byID = Dictionary(steps.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var order: [Int] = []
        var isPlaced = [Bool](repeating: false, count: steps.count)
        func put(_ place: Int, isAhead: Bool = false) {
            guard !isPlaced[place] else { return }
            isPlaced[place] = true
            // What it refers to comes along.
            if isAhead {
                for other in steps[place].dependencies.compactMap({ byID[$0] }).sorted() { put(other, isAhead: true) }
            }
            for other in ahead[place] ?? [] { put(other, isAhead: true) }
            order.append(place)
        }
        for place in steps.indices { put(place) }
        return order
    }

    /// Whether a step may make a row of a set under a key that the client gives.
    private func inserts(_ step: Step, into set: String) -> Bool {
        guard case .insert = step.verb, let type = model[set: set]?.type else { return false }
        guard case .name(let name, _)? = step.call.target.path.segments.first, step.call.target.path.segments.count == 1
        else { return true }
        return name == set && !type.hasGeneratedKey
    }

    /// Whether a step may put a row below one of those that are still to be deleted: it would fall with that.
    ///
    /// It is told by the sets alone, so a step may wait for nothing.
    ///
    /// - Parameter sets: those of which rows may fall.
    func mayFall(_ step: Step, in sets: Set<String>) -> Bool {
        if case .delete = step.verb { return false }
        guard !sets.isEmpty, case .name(let set, _)? = step.call.target.path.segments.first else { return false }
        return sets.contains(set)
    }

    /// The wire names of the sets of which rows fall with rows of these.
    func below(_ sets: [String]) -> Set<String> {
        var found = Set<String>()
        var parents = Set(sets)
        while !parents.isEmpty {
            let children = model.sets.filter { set in
                references(of: set).contains { parents.contains($0.targetSet) }
            }
            parents = Set(children.map(\.names.wire)).subtracting(found)
            found.formUnion(parents)
        }
        return found
    }

    /// The rows with which a row would fall, as it is now.
    private func above(_ row: RowAddress) throws -> Set<RowAddress> {
        var found = Set<RowAddress>()
        var rows = [row]
        while let row = rows.popLast() {
            guard let set = model[set: row.set], let values = try reader.entity(row.key, in: set)?.values else {
                continue
            }
            for reference in references(of: set) {
                guard let parent = parent(of: values, reference), found.insert(parent).inserted else { continue }
                rows.append(parent)
            }
        }
        return found
    }

    /// The row that a reference leads to by its key.
    private func parent(of values: [Value], _ reference: NavigationProperty) -> RowAddress? {
        guard let target = model[set: reference.targetSet] else { return nil }
        let key = target.type.key.compactMap { place in
            reference.constraints.first { $0.target == place }.map { values[$0.source] }
        }
        guard key.count == target.type.key.count, !key.contains(.null) else { return nil }
        return RowAddress(set: reference.targetSet, key: Key(key))
    }

    /// The references of a set that take its rows along.
    private func references(of set: EntitySet) -> [NavigationProperty] {
        set.type.navigationProperties.filter { $0.isDependent && $0.onDelete == .cascade }
    }
}

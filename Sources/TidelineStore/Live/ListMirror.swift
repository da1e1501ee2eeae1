// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The keys of a list, kept in step by its batches.
///
///     var mirror = ListMirror()
///     for try await batch in list.changes { mirror.apply(batch) }
///
/// After each batch it holds what a fetch of that moment finds.
public struct ListMirror: Hashable, Sendable {
    /// The sections, in their order.
    public private(set) var sections: [ListSection]
    /// The number of rows in all sections.
    public private(set) var count: Int

    /// A mirror of these sections, without any for a list that is to come.
    public init(sections: [ListSection] = []) {
        self.sections = sections
        count = sections.reduce(0) { $0 + $1.count }
    }

    /// The key of the row at a place, or `nil` where there is none.
    public subscript(place: ListPlace) -> Key? {
        guard sections.indices.contains(place.section) else { return nil }
        let keys = sections[place.section].keys
        return keys.indices.contains(place.row) ? keys[place.row] : nil
    }

    /// Carries a batch out.
    ///
    /// The batch is the next one after those that were applied; a first batch replaces everything.
    public mutating func apply(_ batch: ListBatch) {
        if batch.isFirst { self = ListMirror() }
        var gone: [Int: [Int]] = [:]
        var come: [Int: [(row: Int, key: Key)]] = [:]
        var oldSections: [Int] = []
        var newSections: [(Int, Value)] = []
        for change in batch.changes {
            switch change {
            case .delete(_, let old): gone[old.section, default: []].append(old.row)
            case .deleteSection(_, let old): oldSections.append(old)
            case .insertSection(let value, let new): newSections.append((new, value))
            case .insert(let key, let new): come[new.section, default: []].append((new.row, key))
            case .move(let key, let old, let new):
                gone[old.section, default: []].append(old.row)
                come[new.section, default: []].append((new.row, key))
            case .update: break
            }
        }
        for (section, rows) in gone {
            count -= rows.count
            sections[section].keys.remove(rows.sorted())
        }
        for old in oldSections.sorted(by: >) { sections.remove(at: old) }
        for (new, value) in newSections.sorted(by: { $0.0 < $1.0 }) {
            sections.insert(ListSection(value: value), at: new)
        }
        for (section, rows) in come {
            count += rows.count
            sections[section].keys.insert(rows.sorted { $0.row < $1.row })
        }
    }
}

extension [Key] {
    /// How many rows are still moved one by one; beyond, the whole array is written anew.
    private static let few = 8

    /// Takes the items at ascending places out.
    fileprivate mutating func remove(_ places: [Int]) {
        guard places.count > Self.few else {
            for place in places.reversed() { remove(at: place) }
            return
        }
        var next = 0
        var rest: [Key] = []
        rest.reserveCapacity(count - places.count)
        for (place, key) in enumerated() {
            if next < places.count, places[next] == place { next += 1 } else { rest.append(key) }
        }
        self = rest
    }

    /// Puts items in, ascending by the places that they have then.
    fileprivate mutating func insert(_ items: [(row: Int, key: Key)]) {
        guard items.count > Self.few else {
            for item in items { insert(item.key, at: item.row) }
            return
        }
        var all: [Key] = []
        all.reserveCapacity(count + items.count)
        var next = 0
        for item in items {
            while all.count < item.row {
                all.append(self[next])
                next += 1
            }
            all.append(item.key)
        }
        all.append(contentsOf: self[next...])
        self = all
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes navigation properties, both ways, from foreign keys.
struct Relations {
    private(set) var drafts: [TableDraft]
    /// For each draft its navigation properties.
    private(set) var navigation: [[NavigationProperty]]
    private(set) var problems: [Introspection.Problem] = []
    private let ignoresCase: Bool

    private struct ForeignKey {
        var source: Int
        var target: Int
        var pairs: [(from: Int, to: Int)]
        var onDelete: NavigationProperty.DeleteRule
    }

    init(drafts: [TableDraft], ignoresCase: Bool) {
        self.drafts = drafts
        self.ignoresCase = ignoresCase
        navigation = Array(repeating: [], count: drafts.count)
        var keys: [ForeignKey] = []
        for place in drafts.indices where !drafts[place].isReadOnly { keys += foreignKeys(place) }
        widen(keys)
        var names = self.drafts.map { WireNames(taken: $0.properties.map(\.names.wire) + [$0.typeNames.wire]) }
        for key in keys where fits(key) { add(key, among: keys, names: &names) }
        addLinks(names: &names)
    }

    mutating func append(_ property: NavigationProperty, to place: Int) { navigation[place].append(property) }

    mutating func note(_ table: String, _ text: String) { problems.append(.note(table, text)) }

    private func foreignKeys(_ place: Int) -> [ForeignKey] {
        let draft = drafts[place]
        return draft.foreignKeys.compactMap { key in
            guard let target = drafts.firstIndex(where: { !$0.isReadOnly && isSame($0.name, key.targetTable) }) else {
                return nil
            }
            let pairs = zip(key.columns, key.targetColumns).compactMap { from, to -> (from: Int, to: Int)? in
                guard let from = column(from, of: draft), let to = column(to, of: drafts[target]) else { return nil }
                return (from, to)
            }
            guard !pairs.isEmpty, pairs.count == key.columns.count else { return nil }
            return ForeignKey(source: place, target: target, pairs: pairs, onDelete: key.onDelete)
        }
    }

    private func column(_ name: String, of draft: TableDraft) -> Int? {
        draft.properties.firstIndex { isSame($0.names.database, name) }
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        ignoresCase ? left.lowercased() == right.lowercased() : left == right
    }

    /// Gives both ends of a foreign key of integers the wider of their types.
    private mutating func widen(_ keys: [ForeignKey]) {
        let order: [PrimitiveType] = [.sbyte, .byte, .int16, .int32, .int64]
        for _ in 0..<3 {
            for key in keys {
                for pair in key.pairs {
                    let from = drafts[key.source].properties[pair.from].type
                    let to = drafts[key.target].properties[pair.to].type
                    guard from != to, let left = order.firstIndex(of: from), let right = order.firstIndex(of: to)
                    else { continue }
                    // A signed and an unsigned byte have Int16 above them.
                    let wider = max(left, right) == 1 ? PrimitiveType.int16 : order[max(left, right)]
                    drafts[key.source].properties[pair.from].type = wider
                    drafts[key.target].properties[pair.to].type = wider
                }
            }
        }
    }

    /// Whether the columns of both ends can be compared as they are stored.
    private mutating func fits(_ key: ForeignKey) -> Bool {
        let source = drafts[key.source]
        let target = drafts[key.target]
        let isSame = key.pairs.allSatisfy { pair in
            let from = source.properties[pair.from]
            let to = target.properties[pair.to]
            return from.type == to.type && from.storage == to.storage && from.scale == to.scale
        }
        guard !isSame else { return true }
        problems.append(
            .note(
                source.name,
                "\(source.name): a foreign key to \(target.name) has other types than the key there; "
                    + "it becomes no navigation property."
            )
        )
        return false
    }

    private mutating func add(_ key: ForeignKey, among keys: [ForeignKey], names: inout [WireNames]) {
        let source = drafts[key.source]
        let target = drafts[key.target]
        let from = key.pairs.map(\.from)
        let columns = from.map { source.properties[$0].names.wire }
        let isOneToOne = isUnique(from, in: source)
        let isOnly = keys.filter { $0.source == key.source && $0.target == key.target }.count == 1

        let stem = columns.count == 1 ? Self.stem(columns[0]) : nil
        let wanted = [stem, target.typeNames.wire].compactMap { $0 } + ["\(stem ?? columns[0])Ref"]
        let forward = names[key.source].first(of: wanted)
        let many = source.names.wire
        let one = source.typeNames.wire
        let plain = isOneToOne ? one : many
        let qualified = "\(plain)By\(forward.prefix(1).uppercased() + forward.dropFirst())"
        let back = names[key.target].first(of: (isOnly ? [plain] : []) + [qualified, "\(plain)Of\(one)"])

        navigation[key.source].append(
            NavigationProperty(
                names: Names(wire: forward, code: WireNames.code(forward, capital: false)),
                targetSet: target.names.wire,
                isCollection: false,
                isNullable: from.contains { source.properties[$0].isNullable },
                isDependent: true,
                constraints: key.pairs.map { NavigationProperty.Constraint(source: $0.from, target: $0.to) },
                onDelete: key.onDelete,
                partner: back
            )
        )
        navigation[key.target].append(
            NavigationProperty(
                names: Names(wire: back, code: WireNames.code(back, capital: false)),
                targetSet: source.names.wire,
                isCollection: !isOneToOne,
                isDependent: false,
                constraints: key.pairs.map { NavigationProperty.Constraint(source: $0.to, target: $0.from) },
                onDelete: key.onDelete,
                partner: forward
            )
        )
    }

    private func isUnique(_ places: [Int], in draft: TableDraft) -> Bool {
        let wanted = Set(places)
        if Set(draft.key.compactMap(draft.place)) == wanted { return true }
        return draft.uniqueColumns.contains { columns in
            let places = columns.compactMap(draft.place)
            return places.count == columns.count && Set(places) == wanted
        }
    }

    /// `customer_id`, `CustomerID` and `customerId` without their ends, or `nil` when nothing would be left.
    private static func stem(_ column: String) -> String? {
        for suffix in ["_id", "_ID", "_Id", "ID", "Id", "_fk", "_key"] where column.hasSuffix(suffix) {
            let stem = column.dropLast(suffix.count)
            if !stem.isEmpty { return String(stem) }
        }
        return column
    }
}

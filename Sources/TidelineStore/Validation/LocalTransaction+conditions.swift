// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The rules of entity types, checked on the rows as they end, by the way that queries take.
extension LocalTransaction {
    /// So many rows are asked about at once.
    private static let chunk = 200

    func checkConditions(_ changes: [OutboxChange]?) throws {
        for set in layout.sets where set.hasConditions {
            let keys = try written(set, changes)
            guard !keys.isEmpty else { continue }
            let rules = try RuleCondition.all(of: set, layout).filter { rule in
                // Of rows that are not all here, only the server can say whether a rule that looks at them is kept.
                try rule.reach.sets.allSatisfy { try $0 == set.name || connection.holdsAll(of: layout.set($0)) }
            }
            guard !rules.isEmpty else { continue }
            var start = 0
            while start < keys.count {
                let end = min(start + Self.chunk, keys.count)
                try check(keys[start..<end], rules, set)
                start = end
            }
        }
    }

    /// The keys of the rows of a set that were written, each once.
    private func written(_ set: SetLayout, _ changes: [OutboxChange]?) throws -> [[Value]] {
        var keys: [[Value]] = []
        if let changes {
            var seen = Set<[Value]>()
            for change in changes where change.set == set.index && change.operation != .delete {
                if seen.insert(change.key).inserted { keys.append(change.key) }
            }
        } else if let record = records[set.index] {
            let last = set.key.max() ?? 0
            var reader = record.reader(from: 5)
            while !reader.isAtEnd {
                _ = reader.byte()
                _ = reader.word()
                var row = [Value](repeating: .null, count: last + 1)
                for column in set.columns {
                    let stored = reader.next()
                    if set.key.contains(column.place) { row[column.place] = try column.value(stored) }
                }
                keys.append(set.key.map { row[$0] })
            }
        }
        let known = Set(keys)
        return keys + localOnlyRows.filter { $0.set == set.index && !known.contains($0.key) }.map(\.key)
    }

    private func check(_ keys: ArraySlice<[Value]>, _ rules: [RuleCondition], _ set: SetLayout) throws {
        var plan = ReadPlan(model: layout.model, set: set.set, columns: set.key, includesETag: false)
        plan.filter = try ExpressionChecker(model: layout.model, set: set.set).condition(set.isOne(of: keys))
        plan.computed = rules.map(\.condition)
        let sink = RuleSink(set)
        _ = try connection.push(plan, into: sink)
        var broken: [[Value]: [Bool]] = [:]
        for row in try sink.finish() where row.verdicts.contains(false) { broken[row.key] = row.verdicts }
        // In the order of the writes, not of the keys.
        for key in keys {
            guard let verdicts = broken[key] else { continue }
            for (rule, isKept) in zip(rules, verdicts) where !isKept {
                // A value that is refused itself is told once.
                guard !failures.concerns(set.name, Key(key), rule.reach.names(in: set)) else { continue }
                try failures.add(
                    .brokenRule,
                    ValidationFailure(
                        set: set.name,
                        key: Key(key),
                        properties: rule.rule.properties,
                        rule: .constraint(rule.rule.name),
                        message: rule.rule.message
                    )
                )
            }
        }
    }
}

extension SetLayout {
    /// The condition that a row has one of these keys.
    fileprivate func isOne(of keys: ArraySlice<[Value]>) -> Expression {
        if key.count == 1 { return .isIn(.path(names(key)), keys.map { .literal($0[0]) }) }
        let names = names(key)
        return keys.lazy.map { values in
            zip(names, values).map { .binary(.equal, .path([$0]), .literal($1)) }
                .reduce(.literal(.boolean(true))) { .binary(.and, $0, $1) }
        }.reduce(.literal(.boolean(false))) { .binary(.or, $0, $1) }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

/// The transactions that name a row are found without looking at the others.
struct RowMentionsTests {
    let layout = StoreLayout(Fixture.model)

    private func change(_ set: Int, _ operation: Change.Operation, row: [Value]) -> OutboxChange {
        OutboxChange(set: set, operation: operation, turn: 0, key: [row[0]], etag: nil, row: row, assignments: [])
    }

    private func entry(_ number: Int64, _ changes: [OutboxChange]) -> PendingLog.Entry {
        PendingLog.Entry(number: number, changes: changes, isFrozen: false, isIncluded: false)
    }

    @Test func `a row is found where it is changed and where it is referred to, with other transactions left out`() {
        var mentions = RowMentions(
            [
                entry(1, [change(1, .insert, row: [-1, .null, 0, .null])]),
                entry(2, [change(2, .insert, row: [-1, -1, .null, .null])]),
                entry(4, [change(1, .delete, row: [5, .null, 0, .null])]),
            ],
            layout
        )
        let order = RowIdentity(set: 1, key: [-1])
        #expect(mentions.numbers(withAll: order) == [1, 2] && mentions.numbers(withAny: [-1, 9], of: 1) == [1, 2])
        #expect(mentions.numbers(withAll: RowIdentity(set: 2, key: [-1])) == [2])
        #expect(mentions.numbers(withAll: RowIdentity(set: 1, key: [5])) == [4])
        #expect(mentions.numbers(withAll: RowIdentity(set: 1, key: [6])) == [])
        // What is noted later is found in its order, and once.
        var update = change(2, .update, row: [9])
        (update.row, update.assignments) = ([], [.init(property: 1, before: -1, after: 7)])
        for _ in 0..<2 {
            mentions.add([update], of: 3)
            mentions.add([update], of: 5)
        }
        #expect(mentions.numbers(withAll: order) == [1, 2, 3, 5])
        #expect(mentions.numbers(withAny: [7], of: 1) == [3, 5])
    }

    @Test(arguments: Seeds.chosen(or: 1..<20))
    func `no transaction that names a row is missed, whatever was written`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let values: [Value] = [1, 2, 3, -1, -2]
        var entries: [PendingLog.Entry] = []
        for number in 1...40 {
            let changes = (0..<Int.random(in: 1...3, using: &random)).map { _ -> OutboxChange in
                let set = Int.random(in: 1...2, using: &random)
                let row = (0..<4).map { _ in values.randomElement(using: &random) ?? 1 }
                var one = change(set, [.insert, .update, .delete].randomElement(using: &random) ?? .insert, row: row)
                if one.operation == .update {
                    one.assignments = [.init(property: 1, before: row[1], after: row[2])]
                    one.row = []
                }
                return one
            }
            entries.append(entry(Int64(number), changes))
        }
        let mentions = RowMentions(entries, layout)
        for set in 1...2 {
            for value in values {
                let row = RowIdentity(set: set, key: [value])
                let naming = entries.filter { entry in
                    entry.changes.contains { $0.identity == row || $0.principals(layout).contains(row) }
                }
                #expect(mentions.numbers(withAll: row) == naming.map(\.number), "seed \(seed)")
                #expect(mentions.numbers(withAny: [value], of: set) == naming.map(\.number), "seed \(seed)")
            }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// Commits transactions and looks at what must hold on the device at each moment.
struct Writer {
    /// So often the device is looked at: once in so many transactions.
    private static let period = 10

    let store: LocalStore
    var history: History
    var editor: Editor

    mutating func write() throws {
        let number = try history.begin()
        try store.write { try editor.edit($0, number: number) }
        try history.commit(number)
        if number.isMultiple(of: Self.period) { try look() }
    }

    /// What was committed is there, and no transaction is there by half.
    func look() throws {
        let (events, echoes) = try store.read { reader in
            (try reader.fetch(Event.all).map(\.name), try reader.fetch(Echo.all).map(\.name))
        }
        for name in Set(events).symmetricDifference(echoes).sorted() {
            try history.violation("V5 \(editor.device) has half of the transaction \(name)")
        }
        let there = Set(events)
        for number in history.committed where !there.contains("\(editor.device).\(number).0") {
            try history.violation("V1 \(editor.device) has lost its transaction \(number)")
        }
    }
}

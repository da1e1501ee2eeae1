// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The numbers under which transactions are sent again.
extension Settlement {
    /// What is to be sent again gets new numbers, and so does what must come after it.
    ///
    /// Everything else keeps its number, by which the service knows it where a copy of this file sends it too.
    mutating func renumber() throws {
        try effects.log.removeEmpty(connection)
        try holdCopied()
        let moving = moving()
        guard !moving.isEmpty else { return }
        var next = try PendingLog.nextNumber(connection)
        for (number, place, isHeld) in moving {
            if isHeld {
                try effects.renumberHeld(place, next)
            } else {
                try effects.renumber(place, to: next)
                if again.contains(number) { report.rebased.append(next) }
                if marks.unmet.remove(number) != nil { marks.unmet.insert(next) }
            }
            next += 1
        }
        effects.log.entries.sort { $0.number < $1.number }
        try connection.changePositions { $0.renumber(moving.map(\.0), through: next - 1) }
    }

    /// Holds what waited when this file was copied and would insert rows under another number.
    ///
    /// The other copy sends it under the one that it has, and the rows would be there twice: a person looks at it first.
    private func holdCopied() throws {
        let copied = try connection.copiedThrough()
        guard copied > 0 else { return }
        func isTwice(_ number: Int64, _ place: Int, _ isHeld: Bool) -> Bool {
            !isHeld && number <= copied && !met.contains(number)
                && effects.log.entries[place].changes.contains { $0.operation == .insert }
        }
        while let first = moving().first(where: isTwice) {
            try effects.toQuarantine(
                first.number,
                code: "ConflictOfCopy",
                message: "It comes after what met a change on the service, and the store that this one was copied from "
                    + "may have sent both.",
                status: 0
            )
        }
    }

    /// The transactions that get new numbers, in their order, each by its place in the outbox or in the quarantine.
    private func moving() -> [(number: Int64, place: Int, isHeld: Bool)] {
        guard let first = effects.log.entries.map(\.number).first(where: again.contains) else { return [] }
        var moved = Ties(effects.layout)
        var numbers = Set<Int64>()
        return later(than: first).filter { number, place, isHeld in
            let changes = isHeld ? effects.quarantine[place].changes : effects.log.entries[place].changes
            let moves =
                isHeld
                ? moved.isBase(of: changes)
                : again.contains(number) || moved.isBase(of: changes) || moved.mayFreeValues(for: changes)
                    || !effects.log.order.numbers(before: number).isDisjoint(with: numbers)
            guard moves else { return false }
            moved.add(changes)
            if !isHeld { numbers.insert(number) }
            return true
        }
    }

    /// The transactions from a number on that are not on their way, in their order, each by its place in the outbox or
    /// in the quarantine.
    private func later(than first: Int64) -> [(number: Int64, place: Int, isHeld: Bool)] {
        let waiting = effects.log.entries.enumerated().filter { $1.number >= first && !$1.isFrozen }
        let held = effects.quarantine.enumerated().filter { $1.number > first }
        return (waiting.map { ($1.number, $0, false) } + held.map { ($1.number, $0, true) }).sorted { $0.0 < $1.0 }
    }
}

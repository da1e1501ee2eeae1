// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One transaction that somebody committed, and what became of it as far as its author knows.
struct WriteRecord: Hashable, Sendable {
    /// Who wrote: a device's name, or `direct`.
    var author: String
    /// The event of the schedule; each value written is this number, a point and a place.
    var event: Int
    /// Whether it added an event and its echo, which must be there once in the end.
    var isMarked: Bool
    /// Given up by its author, or lost with what it was in: it may be there, or not.
    var isGivenUp = false
    /// Whether it was in quarantine and sent again.
    var wasHeld = false
    /// The events that its author saw when it was committed.
    var seen: Set<Int> = []
    /// The texts that it wrote.
    var texts: Set<String> = []
    /// Which text each of them took the place of, where there was one.
    var overwrote: [String: String] = [:]
    /// The texts that it took from the device, changed or deleted.
    var replaced: Set<String> = []
    /// The texts of the rows that it deleted.
    var deleted: Set<String> = []
    /// The texts of the rows that it inserted.
    var inserted: Set<String> = []
    /// The keys of the berths that it deleted and inserted again: what referred to them anywhere fell with them.
    var rebuilt: Set<Key> = []
    /// The texts that stood in the rows that it changed or deleted.
    var touched: Set<String> = []
    /// The texts of the rows that its rows refer to, by a text of the row that does.
    var referred: [String: Set<String>] = [:]
    /// Of these, the texts of rows that take the row along when they are deleted.
    var above: [String: Set<String>] = [:]

    init(author: String, event: Int, isMarked: Bool) {
        self.author = author
        self.event = event
        self.isMarked = isMarked
    }

    /// The text of the event and of its echo.
    var mark: String { "w\(event).m" }

    /// Whether it touches a row that another one of its author wrote.
    ///
    /// - Parameter gone: texts of rows that were never sent and are gone again, or that are on the service before the rest.
    func touches(_ other: WriteRecord, without gone: Set<String>) -> Bool {
        touched.contains { other.texts.contains($0) && !gone.contains($0) }
    }

    /// The rows, by a text of each, that it lets refer to one that another one of its author inserted.
    func referring(to other: WriteRecord, without gone: Set<String>) -> Set<String> {
        let inserted = other.inserted.subtracting(gone)
        return Set(referred.filter { !gone.contains($0.key) && !$0.value.isDisjoint(with: inserted) }.keys)
    }

    /// Whether its author had seen a text before putting another in its place: directly, with own texts between, or by
    /// taking it away in this transaction or an earlier one.
    func hasSeen(_ before: String, behind text: String, _ writes: [Int: WriteRecord]) -> Bool {
        let wasTaken = writes.values.contains {
            $0.author == author && $0.event <= event && $0.replaced.contains(before)
        }
        if wasTaken { return true }
        var (write, text, known) = (self, text, Set<String>())
        while let under = write.overwrote[text], known.insert(under).inserted {
            if under == before { return true }
            guard let event = WrittenValue.event(of: under), let next = writes[event], next.author == author else {
                return false
            }
            (write, text) = (next, under)
        }
        return false
    }
}

extension [Int: WriteRecord] {
    /// The texts by which a device may have known rows: with those that each took the place of there, which may never have
    /// come to the service.
    func known(_ texts: Set<String>) -> Set<String> {
        var known = texts
        var new = texts
        while !new.isEmpty {
            new = Set(new.compactMap { text in WrittenValue.event(of: text).flatMap { self[$0]?.overwrote[text] } })
            new.subtract(known)
            known.formUnion(new)
        }
        return known
    }
}

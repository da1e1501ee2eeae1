// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Carries out the outcomes of sent transactions, inside one local transaction.
struct Settlement {
    let effects: ServerEffects
    var report = SettleReport()
    /// The transactions that are sent again under a new number, by the one that they have.
    var again = Set<Int64>()
    /// Those of them that met a change of the service; the others came after one that was not carried out.
    var met = Set<Int64>()
    var marks: TransactionMarks

    init(_ effects: ServerEffects) throws {
        self.effects = effects
        marks = try TransactionMarks(effects.connection)
    }

    var connection: Connection { effects.connection }

    mutating func settle(_ outcomes: [TransactionOutcome]) throws {
        // First all that are to be sent again are thawed, so that rows they share can be rebased as one.
        for outcome in outcomes {
            switch outcome {
            case .conflict(let number, _, _), .again(let number):
                marks.decided(number)
                guard let place = place(number) else { continue }
                effects.log.entries[place].isFrozen = false
                effects.log.entries[place].isIncluded = false
                again.insert(number)
                if case .conflict = outcome {
                    met.insert(number)
                    marks.unmet.remove(number)
                }
                try connection.run("DELETE FROM main.tideline_sent WHERE number = ?") { $0.integer(number) }
            case .accepted(let number, _), .refused(let number, _, _, _): marks.unmet.remove(number)
            case .unknown(let number, let isFailure): if isFailure { marks.failed(number) }
            }
        }
        var before: [Int64: [OutboxChange]] = [:]
        for number in met { before[number] = place(number).map { effects.log.entries[$0].changes } }
        for case .accepted(let number, let rows) in outcomes { try makeRoom(for: number, rows) }
        for outcome in outcomes {
            switch outcome {
            case .accepted(let number, let rows): try accept(number, rows)
            case .refused(let number, let code, let message, let status):
                try effects.toQuarantine(number, code: code, message: message, status: status)
            case .conflict(let number, let current, let refusal):
                try meet(current, isFirstSight: refusal != nil)
                guard let before = before[number], let place = place(number) else { continue }
                let now = effects.log.entries[place].changes
                if let refusal {
                    // An insert that met its own row is one no more, and what has another key by now meets another row; all
                    // else may have followed other answers.
                    let isAsBefore = now.elementsEqual(before) {
                        $0.operation == $1.operation && $0.identity == $1.identity
                    }
                    if isAsBefore { try refuse(number, refusal) }
                } else if now == before {
                    try holdUnchanged(number, before)
                }
            case .again, .unknown: break
            }
        }
        for outcome in outcomes {
            switch outcome {
            case .accepted(let number, _), .refused(let number, _, _, _), .conflict(let number, _, _),
                .again(let number):
                if try connection.number("last_settled") < number { try connection.setNumber("last_settled", number) }
            case .unknown: break
            }
        }
        try renumber()
        try marks.save(connection, waiting: Set(effects.log.entries.map(\.number)))
        try effects.save()
        report.conflicts = effects.conflicts
        report.quarantined = effects.quarantined
        report.merged = effects.merged
    }

    private func place(_ number: Int64) -> Int? { effects.log.place(number) }

    // MARK: Accepted

    /// Makes room for the rows that a transaction has inserted, before others that had their keys meet what is there now.
    private func makeRoom(for number: Int64, _ rows: [AcceptedRow]) throws {
        // What a pull brought before the answer, and a copy of the store may have changed, is the row that was inserted.
        guard let place = place(number), !effects.log.entries[place].isIncluded,
            try number > connection.copiedThrough()
        else { return }
        let changes = effects.log.entries[place].changes
        for row in rows where changes.indices.contains(row.place) && changes[row.place].operation == .insert {
            let set = effects.layout.sets[changes[row.place].set]
            guard let key = try row.key.map({ try Connection.checked($0, set) }), key != changes[row.place].key else {
                continue
            }
            try effects.noteServerKey(key, of: set)
            let identity = RowIdentity(set: set.index, key: key)
            try effects.makeRoom(at: identity, for: number, etag: row.etag.map(ETagText.text))
        }
    }

    private mutating func accept(_ number: Int64, _ rows: [AcceptedRow]) throws {
        guard place(number) != nil else { return }
        report.accepted += 1
        var wasPulled = Set<RowIdentity>()
        for row in rows {
            guard let at = self.place(number), effects.log.entries[at].changes.indices.contains(row.place),
                let given = row.key
            else { continue }
            let set = effects.layout.sets[effects.log.entries[at].changes[row.place].set]
            let key = try Connection.checked(given, set)
            try effects.noteServerKey(key, of: set)
            let identity = effects.log.entries[at].changes[row.place].identity
            if try effects.remap(identity, to: key) { wasPulled.insert(RowIdentity(set: identity.set, key: key)) }
        }
        guard let place = place(number) else { return }
        let entry = effects.log.entries.remove(at: place)
        effects.log.order.remove(number)
        try PendingLog.remove(number, connection)
        var answers: [RowIdentity: AcceptedRow] = [:]
        for row in rows where entry.changes.indices.contains(row.place) {
            answers[entry.changes[row.place].identity] = row
        }
        var done = Set<RowIdentity>()
        for change in entry.changes where done.insert(change.identity).inserted {
            let identity = change.identity
            let isGone = entry.changes.last { $0.identity == identity }?.operation == .delete
            let isMade = change.operation == .insert && !isGone
            // What a pull brought before the answer, no later one has to bring.
            if isMade, !entry.isIncluded, !wasPulled.contains(identity) {
                try effects.noteMade(identity, number: number)
            }
            let set = effects.layout.sets[identity.set]
            if isMade, entry.isIncluded, try connection.row(set, identity.key)?.etag == nil {
                // A pull contained the insert and did not bring the row: it is gone again.
                try effects.meet(identity, .gone)
                continue
            }
            try settle(
                identity,
                answers[identity],
                isGone: isGone,
                isPulled: entry.isIncluded || wasPulled.contains(identity)
            )
        }
    }

    /// The row of an accepted change: the server's state is known anew, and later changes are rebased on it.
    private func settle(_ identity: RowIdentity, _ answer: AcceptedRow?, isGone: Bool, isPulled: Bool) throws {
        let later = effects.changes(of: identity)
        if isPulled {
            // A pull that already contained the change brought what the server has; the answer may be older.
            guard let base = try effects.base(identity) else { return }
            return try effects.meet(identity, base)
        }
        if let answer, answer.leavesScope, later.isEmpty {
            try effects.dropBase(identity)
            effects.touch(identity)
            try connection.remove(effects.layout.sets[identity.set], identity.key)
            return
        }
        var theirs = isGone ? nil : try effects.rolledBack(identity, later)
        if !isGone, let values = answer?.values {
            // What is not subscribed comes as null and is null here too.
            theirs = StoredRow(values: values, etag: theirs?.etag)
        }
        if let etag = answer?.etag, theirs != nil { theirs?.etag = ETagText.text(etag) }
        try effects.meet(identity, ServerRow(theirs), isOwn: true)
    }

    // MARK: Conflicts

    /// Lets a person look at a transaction that met no change at all, twice: it would be refused for ever.
    ///
    /// It names rows that fall, on a service that is not Tideline's, with those that it deletes before, or that are changed
    /// there by what it does. What met nothing once may have met something while it waited for an answer that was lost, when
    /// another transaction fetched the row.
    private mutating func holdUnchanged(_ number: Int64, _ before: [OutboxChange]) throws {
        // What waits for the answer to another transaction of a row has met nothing yet.
        let rows = Set(before.map(\.identity))
        let isOpen = effects.log.entries.contains { $0.isFrozen && $0.changes.contains { rows.contains($0.identity) } }
        guard !isOpen else { return }
        guard marks.wasUnmet(number) else {
            marks.unmet.insert(number)
            return
        }
        let deletes = before.contains { $0.operation == .delete }
        let message =
            deletes
            ? "It changes or deletes a row that falls with one which it deletes before."
            : "The service refuses it twice for the version of its rows, though they have the version that it names."
        let code = deletes ? "FallsWithDeletion" : "PreconditionFailed"
        try refuse(number, .init(code: code, message: message, status: 412))
    }

    /// Puts a transaction that was to be sent again into the quarantine.
    private mutating func refuse(_ number: Int64, _ refusal: TransactionOutcome.Refusal) throws {
        again.remove(number)
        met.remove(number)
        try effects.toQuarantine(
            number,
            code: refusal.code,
            message: refusal.message,
            status: refusal.status
        )
    }

    /// - Parameter isFirstSight: whether no pull may have brought a row yet, as one that this device would insert.
    private func meet(_ rows: [RemoteRow], isFirstSight: Bool) throws {
        let states = try rows.map { row in
            let set = try effects.layout.set(row.set)
            let identity = RowIdentity(set: set.index, key: try Connection.checked(row.key, set))
            let etag = row.etag.map(ETagText.text)
            return (
                identity,
                row.values.map { StoredRow(values: $0, etag: etag, unread: row.unread, served: row.served) }
            )
        }
        if isFirstSight {
            for (identity, theirs) in states where theirs != nil { try effects.noteSeen(identity) }
        }
        // Rows with the keys of others come first: what refers to the others follows these.
        let others = Set(states.filter { effects.isAnother($1, $0) }.map(\.0))
        for (identity, theirs) in states where others.contains(identity) {
            try effects.meet(identity, ServerRow(theirs))
        }
        for (identity, theirs) in states where !others.contains(identity) {
            try effects.meet(identity, ServerRow(theirs))
        }
    }
}

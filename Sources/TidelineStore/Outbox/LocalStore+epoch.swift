// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension LocalStore {
    /// Keeps the epoch of the service's record of changes, as an answer tells it.
    ///
    /// Where it is of another publication of the domain, the service remembers nothing of what it decided before: what was
    /// sent and not answered may be done, and goes into the quarantine (`Undecided`), what builds on it with it; so does what
    /// a copy of a file inherited, for the other copy may have sent it. Which use of a key a row is, its ETag tells no more.
    /// After a backup was put back the publication is the same, what the service remembers fits its rows, and all is sent
    /// again.
    ///
    /// - Parameters:
    ///   - before: the epoch that the store had when the service was asked.
    ///   - notDone: the attempt of which the service has said that nothing was carried out. What it was the first to send is
    ///     no longer frozen where others go into the quarantine.
    ///   - content: the number of the content that was sent, see ``StoreIdentity/content``.
    /// - Returns: what went into the quarantine, or `nil` where nothing did.
    /// - Throws: ``PushAttempt/Lost`` where the store has another epoch than `before`: another sync of the file has been told
    ///   since, and what was read before that is to be read again.
    @discardableResult
    package func setEpoch(
        _ epoch: String,
        from before: String?,
        notDone: PushAttempt? = nil,
        content: Int64? = nil
    ) throws -> SettleReport? {
        if epoch == before, try reading({ try $0.meta("epoch") }) == epoch { return nil }
        return try writing(durably: true) { connection throws -> (SettleReport?, touched: TouchedRows) in
            try connection.checkContent(content)
            guard try connection.meta("epoch") == before else { throw PushAttempt.Lost() }
            if epoch != before { try connection.setMeta("epoch", epoch) }
            guard let before, Self.isForgotten(before, in: epoch) else { return (nil, []) }
            try ServerEffects(connection).forgetReuses()
            let isLast = try notDone?.isLast(connection) ?? false
            let fresh = Set(isLast ? notDone?.first ?? [] : [])
            let numbers = try connection.undecided().filter { $0.isInherited || !fresh.contains($0.number) }
            guard let last = numbers.last?.number else { return (nil, []) }
            for number in fresh {
                try connection.run("DELETE FROM main.tideline_sent WHERE number = ?") { $0.integer(number) }
            }
            let effects = try ServerEffects(connection, functions: settings.conflictFunctions)
            for (number, wasSent, _) in numbers {
                let reason =
                    wasSent && !fresh.contains(number)
                    ? "It was sent and not answered, and the domain was published anew since: the server may have it."
                    : "It waited when this file was copied; the other file may have sent it to the domain as it was "
                        + "before."
                try effects.toQuarantine(
                    number,
                    code: "Undecided",
                    message: "\(reason) Look at the rows, and discard or retry it.",
                    status: 0
                )
            }
            if try connection.number("last_settled") < last { try connection.setNumber("last_settled", last) }
            try effects.save()
            var report = SettleReport()
            report.quarantined = effects.quarantined
            return (report, effects.touched)
        }
    }

    /// Whether a service may have what waits, and nobody knows: it was sent and not answered, or inherited.
    package func hasUndecided() throws -> Bool { try reading { try !$0.undecided().isEmpty } }

    /// Whether the service forgot between two epochs what it decided; where one does not tell its publication, nobody knows.
    private static func isForgotten(_ before: String, in now: String) -> Bool {
        guard let before = publication(of: before), let now = publication(of: now) else { return false }
        return before != now
    }

    /// Whether two epochs are of one publication; where one does not tell it, whether they are the same epoch.
    package static func isSamePublication(_ one: String, _ other: String) -> Bool {
        guard let first = publication(of: one), let second = publication(of: other) else {
            return one.prefix { $0 != "-" } == other.prefix { $0 != "-" }
        }
        return first == second
    }

    /// What stands behind the hyphen.
    private static func publication(of epoch: String) -> Substring? {
        epoch.firstIndex(of: "-").map { epoch[epoch.index(after: $0)...] }
    }
}

extension Connection {
    /// What waits and may be done at a service, in the order of numbers: what was sent and not answered, and what waited in
    /// the file that this one is a copy of, for that one may have sent it.
    fileprivate func undecided() throws -> [(number: Int64, wasSent: Bool, isInherited: Bool)] {
        let copied = try copiedThrough()
        let sql = """
            SELECT number, 1 FROM main.tideline_sent
            UNION ALL SELECT number, 0 FROM main.tideline_outbox
            WHERE number <= ? AND number NOT IN (SELECT number FROM main.tideline_sent)
            ORDER BY 1
            """
        return try query(sql, { $0.integer(copied) }) {
            (number: $0.integer(0), wasSent: $0.integer(1) == 1, isInherited: $0.integer(0) <= copied)
        }
    }
}

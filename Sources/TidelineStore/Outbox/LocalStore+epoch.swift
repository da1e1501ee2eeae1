// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension LocalStore {
    /// Keeps the epoch of the service's record of changes.
    ///
    /// Where it is of another publication of the domain, the service remembers nothing of what it decided before: what was
    /// sent and not answered may be done, and goes into the quarantine (`Undecided`), what builds on it with it; so does what
    /// a copy of a file inherited, for the other copy may have sent it. After a
    /// backup was put back the publication is the same, what the service remembers fits its rows, and all is sent again.
    ///
    /// - Parameters:
    ///   - notDone: the attempt of which the service has said that nothing was carried out. What it was the first to send is
    ///     no longer frozen where others go into the quarantine.
    ///   - content: the number of the content that was sent, see ``StoreIdentity/content``.
    /// - Returns: what went into the quarantine, or `nil` where nothing did.
    @discardableResult
    package func setEpoch(
        _ epoch: String,
        notDone: PushAttempt? = nil,
        content: Int64? = nil
    ) throws -> SettleReport? {
        guard try reading({ try $0.meta("epoch") }) != epoch else { return nil }
        return try writing(durably: true) { connection throws -> (SettleReport?, touched: TouchedRows) in
            try connection.checkContent(content)
            let before = try connection.meta("epoch")
            try connection.setMeta("epoch", epoch)
            guard let before, Self.isForgotten(before, in: epoch) else { return (nil, []) }
            let isLast = try notDone?.isLast(connection) ?? false
            let fresh = Set(isLast ? notDone?.first ?? [] : [])
            // What waited in the file that this one is a copy of, that one may have sent.
            let inherited =
                StoreIdentity.Inherited.read(try connection.meta("inherited") ?? "").map(\.through).max() ?? 0
            let sql = """
                SELECT number FROM main.tideline_sent UNION SELECT number FROM main.tideline_outbox
                WHERE number <= ? ORDER BY number
                """
            let numbers = try connection.query(sql, { $0.integer(inherited) }) { $0.integer(0) }
                .filter { $0 <= inherited || !fresh.contains($0) }
            guard let last = numbers.last else { return (nil, []) }
            for number in fresh {
                try connection.run("DELETE FROM main.tideline_sent WHERE number = ?") { $0.integer(number) }
            }
            let effects = try ServerEffects(connection, functions: settings.conflictFunctions)
            for number in numbers {
                try effects.toQuarantine(
                    number,
                    code: "Undecided",
                    message:
                        "It was sent and not answered, and the domain was published anew since: the server may have "
                        + "it. Look at the rows, and discard or retry it.",
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

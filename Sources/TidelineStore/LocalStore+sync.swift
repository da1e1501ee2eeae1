// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What the sync engine asks of a store. All synchronous; ``perform(evenCancelled:_:)`` takes them off the cooperative pool.
extension LocalStore {
    /// Runs blocking work of this store on a thread of its own.
    ///
    /// - Parameter evenCancelled: whether it runs also where the task was cancelled, as what a sync leaves in order.
    package func perform<Result: Sendable>(
        evenCancelled: Bool = false,
        _ body: @escaping @Sendable (LocalStore) throws -> Result
    ) async throws -> Result {
        try await onThread(evenCancelled: evenCancelled) { try body(self) }
    }

    /// The transactions that wait, in order: those that were sent first as they were sent.
    ///
    /// With one come those that were sent with it and name its requests: their bytes mean nothing in a batch without it.
    ///
    /// What was handed out changes no more, except when its outcome is settled or a checkpoint is applied.
    /// - Parameters:
    ///   - limit: the most transactions.
    ///   - bytes: the most bytes of outbox record together; at least one transaction is returned if there is one.
    package func pendingTransactions(limit: Int = .max, bytes: Int = .max) throws -> [PendingTransaction] {
        try pending(limit: limit, bytes: bytes).transactions
    }

    /// As ``pendingTransactions(limit:bytes:)``, with the number of all that wait.
    package func pending(limit: Int, bytes: Int) throws -> (transactions: [PendingTransaction], all: Int) {
        // Most syncs have nothing to send, and need not wait for who writes.
        guard try reading({ try $0.integer("SELECT EXISTS (SELECT 1 FROM main.tideline_outbox)") }) > 0 else {
            return ([], 0)
        }
        return try writing { connection in
            var numbers: [Int64] = []
            var sum: Int64 = 0
            let sizes = try connection.query(
                "SELECT number, SUM(LENGTH(record)) FROM tideline_outbox GROUP BY number ORDER BY number"
            ) { ($0.integer(0), $0.integer(1)) }
            for (number, size) in sizes {
                guard numbers.count < limit, numbers.isEmpty || sum + size <= Int64(clamping: bytes) else { break }
                numbers.append(number)
                sum += size
            }
            guard let last = numbers.last else { return (([], 0), []) }
            let frozen = try FrozenGroup.all(connection)
            let end = max(last, frozen.keys.max() ?? last)
            let view = try PendingView(PendingLog.load(connection, through: end), connection)
            let transactions = view.transactions(through: last, frozen)
            let held = view.frozenDependants(of: last, frozen)
            let handedOut = held.last?.number ?? last
            if try PendingLog.handedOut(connection) < handedOut { try connection.setNumber("handed_out", handedOut) }
            let all = held.isEmpty ? transactions : view.transactions(through: handedOut, frozen)
            return ((all, sizes.count), [])
        }
    }

    /// Keeps the exact bytes of groups before they are sent, durably.
    ///
    /// Their transactions change no more.
    ///
    /// The nonce of the file changes with it, so that an older copy of the file is noticed. Where all of a batch was frozen
    /// before, the attempt alone is noted, so that nobody else thaws what it sends.
    ///
    /// - Parameters:
    ///   - groups: those of the batch that are sent for the first time.
    ///   - transactions: all of the batch, as they were read.
    ///   - earlier: an attempt of the same sync, of which it is sure that nothing was carried out, or will be.
    ///   - content: the number of the content that they are of, see ``StoreIdentity/content``.
    /// - Returns: the attempt that begins so.
    /// - Throws: ``PushAttempt/Lost`` where the file has another state of one of the transactions, or has it no more:
    ///   another sync of the file came between, and nothing is to be sent.
    @discardableResult
    package func freeze(
        _ groups: [FrozenGroup],
        of transactions: [PendingTransaction],
        after earlier: PushAttempt? = nil,
        content: Int64? = nil
    ) throws -> PushAttempt {
        for _ in 0..<100 {
            let renewal = groups.isEmpty ? nil : try beginNonce()
            guard let attempt = try freeze(groups, of: transactions, after: earlier, content: content, renewal)
            else { continue }
            // Before anything is sent: an older copy of the file must not pass for this one.
            if let renewal { try endNonce(renewal) }
            return attempt
        }
        throw LocalStoreError(.io, message: "The note of the store's nonce cannot be kept beside the user's settings.")
    }

    /// - Returns: the attempt where the file had the nonce that is renewed, and the new one is noted; else another process
    ///   sent something meanwhile, and nothing is changed.
    func freeze(
        _ groups: [FrozenGroup],
        of transactions: [PendingTransaction],
        after earlier: PushAttempt? = nil,
        content: Int64?,
        _ renewal: NonceRenewal?
    ) throws -> PushAttempt? {
        // A power cut that loses the count alone ends whoever could thaw.
        try writing(durably: !groups.isEmpty) { connection throws -> (PushAttempt?, touched: TouchedRows) in
            try connection.checkContent(content)
            if let renewal, try connection.meta("nonce") != renewal.old || !isNoted(renewal) { return (nil, []) }
            try PendingView.check(transactions, connection)
            for group in groups {
                try connection.run("INSERT INTO main.tideline_sent (number, request, bytes) VALUES (?, ?, ?)") {
                    $0.integer(group.number)
                    $0.blob(group.requestID.bytes)
                    $0.blob(group.bytes)
                }
                if try PendingLog.handedOut(connection) < group.number {
                    try connection.setNumber("handed_out", group.number)
                }
            }
            if let renewal { try connection.setMeta("nonce", renewal.new) }
            return (try PushAttempt(freezing: groups.map(\.number), after: earlier, connection), [])
        }
    }

    /// Takes back that an attempt froze transactions, for nothing of it was carried out, or will be.
    ///
    /// What was sent before stays as it was sent. So does everything where another one, as of a process that syncs the same
    /// file, was noted since: it may have sent it. Who has read it only is told by ``freeze(_:of:after:content:)``.
    ///
    /// - Parameter content: the number of the content that they are of, see ``StoreIdentity/content``.
    package func thaw(_ attempt: PushAttempt, content: Int64? = nil) throws {
        guard !attempt.first.isEmpty else { return }
        try writing(durably: true) { connection in
            try connection.checkContent(content)
            guard try attempt.isLast(connection) else { return ((), []) }
            for number in attempt.first {
                try connection.run("DELETE FROM main.tideline_sent WHERE number = ?") { $0.integer(number) }
            }
            return ((), [])
        }
    }

    /// Stores what became of sent transactions, in one local transaction, durably.
    ///
    /// Outcomes stand in the order of their numbers. Live results see the effect.
    ///
    /// - Parameter content: the number of the content that was sent, see ``StoreIdentity/content``.
    @discardableResult
    package func settle(_ outcomes: [TransactionOutcome], content: Int64? = nil) throws -> SettleReport {
        guard !outcomes.isEmpty else { return SettleReport() }
        return try writing(durably: true) { connection in
            try connection.checkContent(content)
            var settlement = try Settlement(try ServerEffects(connection, functions: settings.conflictFunctions))
            try settlement.settle(outcomes)
            return (settlement.report, settlement.effects.touched)
        }
    }

    /// What the store holds of its sets, in the order of the model.
    package func subscriptions() throws -> [Subscription] {
        let all = try reading { try LocalStore.subscriptions($0) }
        return all.sorted { (model.setIndex(wire: $0.set) ?? .max) < (model.setIndex(wire: $1.set) ?? .max) }
    }

    private static func subscriptions(_ connection: Connection) throws -> [Subscription] {
        try connection.query("SELECT set_name, filter, properties, delta_link FROM main.tideline_subscriptions") {
            Subscription(
                set: $0.string(0) ?? "",
                filter: $0.string(1),
                properties: $0.string(2).map { $0.split(separator: ",").map(String.init) },
                deltaLink: $0.string(3)
            )
        }
    }

    /// Replaces the subscriptions.
    ///
    /// A set whose filter or properties changed loses its delta link; the rows of a set
    /// that is no longer among them are dropped, except those with changes that wait.
    package func setSubscriptions(_ subscriptions: [Subscription]) throws {
        try writing { connection in
            let known = try LocalStore.subscriptions(connection)
            let effects = try ServerEffects(connection)
            var touched = TouchedRows()
            try connection.run("DELETE FROM tideline_subscriptions")
            for subscription in subscriptions {
                _ = try layout.set(subscription.set)
                var link = subscription.deltaLink
                if link == nil, let old = known.first(where: { $0.set == subscription.set }),
                    old.filter == subscription.filter, old.properties == subscription.properties
                {
                    link = old.deltaLink
                }
                try connection.run("INSERT INTO tideline_subscriptions VALUES (?, ?, ?, ?)") {
                    $0.text(subscription.set)
                    if let filter = subscription.filter { $0.text(filter) } else { $0.null() }
                    if let list = subscription.properties { $0.text(list.joined(separator: ",")) } else { $0.null() }
                    if let link { $0.text(link) } else { $0.null() }
                }
            }
            for old in known where !subscriptions.contains(where: { $0.set == old.set }) {
                let set = try layout.set(old.set)
                let kept = try effects.dirty.filter { $0.set == set.index }.compactMap {
                    try connection.row(set, $0.key)
                }
                try connection.run("DELETE FROM main.\(set.table)")
                for row in kept { try connection.put(row, set) }
                touched.add(whole: set.index)
            }
            return ((), touched)
        }
    }

    /// Forgets the delta links of sets, so that they are loaded anew (410 Gone).
    ///
    /// Rows and outbox stay. What is loaded then is taken whatever the versions of rows say: the service may tell the same
    /// version otherwise than before, as a value of which its model knew nothing.
    ///
    /// - Parameters:
    ///   - narrowed: those of which a row may be hidden that does not come, because rights or the model changed.
    ///   - claim: that of the pull that was told so.
    package func forgetDeltaLinks(
        of sets: Set<String>,
        narrowed: Set<String> = [],
        claim: PullClaim? = nil
    ) throws {
        try writing { connection in
            try claim?.check(connection)
            for set in sets {
                try connection.setMeta(Application.takenWhole(set), "1")
                if narrowed.contains(set) { try connection.setMeta(Application.mayHide(set), "1") }
                try connection.run("UPDATE tideline_subscriptions SET delta_link = NULL WHERE set_name = ?") {
                    $0.text(set)
                }
            }
            try claim?.renew(connection)
            return ((), [])
        }
    }

    /// The places of the properties of a set that cross the wire, in order.
    package func travellingColumns(of set: String) -> [Int] {
        guard let index = model.setIndex(wire: set) else { return [] }
        return layout.sets[index].columns.filter { !$0.property.isLocalOnly }.map(\.place)
    }

    /// The version of each row of a set, in key order, for comparison with the server.
    ///
    /// - Parameter receive: gets the key, the version last seen from the server (`nil` for a row never seen there), and
    ///   whether changes of the row wait or are quarantined.
    package func versions(of set: String, _ receive: (Key, ETag?, Bool) throws -> Void) throws {
        let set = try layout.set(set)
        try reading { connection in
            let dirty = try ServerEffects(connection).dirty
            let statement = try connection.statement(
                "SELECT \(set.list(set.key)), tideline_etag FROM main.\(set.table) ORDER BY \(set.list(set.key))"
            )
            defer { statement.reset() }
            while try statement.step() {
                let key = try set.key.enumerated().map { try set.columns[$1].value(statement.value(Int32($0))) }
                let isDirty = dirty.contains(RowIdentity(set: set.index, key: key))
                try receive(Key(key), ETagText.etag(statement.string(Int32(set.key.count))), isDirty)
            }
        }
    }

    /// The keys of a set whose rows are deleted here, while that waits or is quarantined.
    package func removedKeys(of set: String) throws -> Set<Key> {
        let set = try layout.set(set)
        return try reading { connection in
            let dirty = try ServerEffects(connection).dirty.filter { $0.set == set.index }
            return Set(try dirty.filter { try connection.row(set, $0.key) == nil }.map { Key($0.key) })
        }
    }
}

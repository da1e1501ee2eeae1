// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore

/// What the commands of a push hand to each other.
struct PushWork {
    var transactions: [PendingTransaction] = []
    var answer: PushAnswer?
    var current = CurrentRows.Found()
    /// What went into the quarantine in place of being sent again.
    var held: SettleReport?
}

extension SyncRun {
    /// The most bytes of outbox record in one batch.
    private static let mostBytes = 4 << 20

    func readPending(limit: Int) async throws -> SyncEvent {
        try await checkUser()
        let (transactions, count) = try await store.perform { try $0.pending(limit: limit, bytes: Self.mostBytes) }
        push = PushWork(transactions: transactions)
        return .pending(transactions.map(\.number), hasMore: count > transactions.count)
    }

    func send(isTold: Bool) async throws -> SyncEvent {
        try await checkPayloads()
        let seen = try await checkUser(beforeSending: true)
        let identity = try await introduced(seen)
        let content = identity.content
        let builder = GroupBuilder(
            model: store.model,
            client: { identity.clientID(of: $0) },
            firstSent: HTTPDate.text(options.now()),
            known: identity.positions.position
        )
        let batch = try PushBatch(push.transactions, builder: builder, identity: identity)
        let earlier = undone
        let attempt = try await store.perform {
            try $0.freeze(batch.fresh, of: batch.transactions, after: earlier, content: content)
        }
        // From here on nobody knows, until it is told.
        undone = nil
        var fields: HTTPFields = [
            .prefer: "continue-on-error",
            .repeatabilityClientID: identity.clientID.text,
        ]
        fields[.tidelineAcknowledged] = "\(identity.acknowledged)"
        fields[.tidelineEpoch] = identity.epoch
        FailPoint.visit("push.before-request")
        var response: (head: HTTPResponse, batch: BatchResponse)
        do {
            response = try await client.batch(batch.body, fields: fields)
        } catch let error as ClientError where error.leavesBatchUndone {
            // None was executed: they need not be sent again as they are, once the sync is given up, for a domain that is
            // published anew cannot have done them.
            undone = attempt
            guard error.isOfTooLargeBatch else { throw error }
            // Smaller batches say other bytes, for what one has inserted, the next knows the key of.
            for place in push.transactions.indices where attempt.first.contains(push.transactions[place].number) {
                push.transactions[place].frozen = nil
            }
            try await thaw()
            throw Fault.tooLarge(error)
        }
        if PushAnswer.isOutdated(response.batch), let epoch = response.head.headerFields[.tidelineEpoch] {
            let held = try await store.perform {
                try $0.setEpoch(epoch, from: identity.epoch, notDone: attempt, content: content)
            }
            if let held {
                push.held = held
                let others = attempt.first.map { Verdict(number: $0, kind: .notBegun) }
                return .answered(others, wait: nil, reason: nil, jitter: options.random())
            }
            // What was not done in the old epoch will not be, whenever what is still on its way arrives.
            fields[.tidelineEpoch] = epoch
            response = try await client.batch(batch.body, fields: fields)
        } else if identity.epoch == nil {
            // Who told none when it was asked, as where its database could not be read just then, tells one now. Another one
            // than was sent along came after what is answered here, which is settled first.
            try await noteEpoch(response.head, asked: nil)
        }
        FailPoint.visit("push.after-answer")
        // A service that tells its epoch, and does not now, cannot read its database: whatever it fails of, it fails of all.
        let isWell = identity.epoch == nil || response.head.headerFields[.tidelineEpoch] != nil
        let answer: PushAnswer
        do {
            answer = try PushAnswer(
                response.batch,
                batch: batch,
                model: store.model,
                isTold: isTold,
                isWell: isWell
            )
        } catch let error as UnreadableEntity {
            throw try await explained(error)
        }
        push.answer = answer
        return .answered(answer.verdicts, wait: answer.wait, reason: answer.reason, jitter: options.random())
    }

    /// Takes back what the sync was the first to freeze, where nothing of it was carried out, or will be.
    ///
    /// Each try of a sync takes it over from the one before, so that being offline is written once, and not at each try.
    func thaw() async throws {
        guard let attempt = undone else { return }
        undone = nil
        let content = try await identity().content
        try await store.perform(evenCancelled: true) { try $0.thaw(attempt, content: content) }
    }

    /// Who the store is, told of the epoch of its service.
    ///
    /// Who was never told, as a store that was just attached, asks before anything is sent: it would take another publication
    /// for the one that has it.
    private func introduced(_ identity: StoreIdentity) async throws -> StoreIdentity {
        guard identity.epoch == nil, !isEpochAsked else { return identity }
        let told = try await client.epoch(of: identity.clientID, asking: store.model.sets.first?.names.wire)
        isEpochAsked = true
        guard let told else { return identity }
        let content = identity.content
        _ = try await store.perform { try $0.setEpoch(told, from: nil, content: content) }
        return try await look()
    }

    /// Keeps the epoch that an answer tells.
    ///
    /// - Parameter before: the epoch that the store had when that was asked for.
    /// - Throws: ``PushAttempt/Lost`` where another sync has been told of one since: the answer may be the older one.
    func noteEpoch(_ head: HTTPResponse, asked before: String?) async throws {
        guard let epoch = head.headerFields[.tidelineEpoch] else { return }
        let content = try await identity().content
        _ = try await store.perform { try $0.setEpoch(epoch, from: before, content: content) }
    }

    func fetchCurrent() async throws -> SyncEvent {
        let verdicts = push.answer?.verdicts ?? []
        let numbers = Set(verdicts.filter { $0.kind == .conflict }.map(\.number))
        let subscriptions = try await store.perform { try $0.subscriptions() }
        let rows = CurrentRows(
            of: push.transactions.filter { numbers.contains($0.number) },
            duplicates: push.answer?.duplicates ?? [],
            narrowed: Set(subscriptions.filter { $0.properties != nil }.map(\.set)),
            model: store.model
        )
        guard !rows.isEmpty else { return .fetched() }
        var fields: HTTPFields = [.prefer: "continue-on-error"]
        fields[.isolation] = "snapshot"
        let response = try await client.batch(rows.body, fields: fields).batch
        do {
            push.current = try rows.found(response)
        } catch let error as UnreadableEntity {
            throw try await explained(error)
        }
        return .fetched(isMissing: push.current.isMissing)
    }

    func settle() async throws -> SyncEvent {
        if let held = push.held {
            push = PushWork()
            return .settled(held)
        }
        guard let answer = push.answer else { preconditionFailure("Nothing was answered.") }
        let content = try await identity().content
        let (current, transactions) = (push.current, push.transactions)
        let report = try await store.perform { store in
            let scope = SubscriptionScope(try store.subscriptions(), model: store.model)
            let outcomes = answer.outcomes(current: current, transactions: transactions) { row, transaction in
                scope.excludes(row, of: transaction)
            }
            return try store.settle(outcomes, content: content)
        }
        push = PushWork()
        return .settled(report)
    }

    func quarantineTooLarge() async throws -> SyncEvent {
        let content = try await identity().content
        let outcomes = push.transactions.map { transaction in
            // It was sent before: what became of that, nobody has told.
            let mayBeDone = transaction.frozen != nil
            return TransactionOutcome.refused(
                number: transaction.number,
                code: mayBeDone ? "OutcomeUnknown" : "TooLarge",
                message: mayBeDone
                    ? "The transaction is larger than the service takes now. It was sent before without an answer, and may "
                        + "have been carried out: look before you send it again."
                    : "The transaction is larger than the service takes.",
                status: 413
            )
        }
        let report = try await store.perform { try $0.settle(outcomes, content: content) }
        push = PushWork()
        return .settled(report)
    }
}

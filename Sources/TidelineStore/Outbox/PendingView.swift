// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The outbox as the sync engine sees it: changes with what ties them to each other.
struct PendingView {
    let log: PendingLog
    let layout: StoreLayout
    /// Other negative keys are the service's, but for rows that are inserted here.
    private let temporaryKeys: Range<Int64>
    private let failures: [Int64: Int]

    init(_ log: PendingLog, _ connection: Connection) throws {
        self.log = log
        layout = connection.layout
        temporaryKeys = try connection.temporaryKeys()
        failures = Dictionary(grouping: try connection.numbers(TransactionMarks.failures), by: \.self).mapValues(
            \.count
        )
    }

    /// Makes sure, in a transaction, that what waits is what was read of it: all transactions up to the last one of these.
    ///
    /// - Throws: ``PushAttempt/Lost`` where one was settled, changed, frozen or thawed since.
    static func check(_ transactions: [PendingTransaction], _ connection: Connection) throws {
        guard let last = transactions.last?.number else { return }
        let view = try PendingView(PendingLog.load(connection, through: last), connection)
        let now = view.transactions(through: last, try FrozenGroup.all(connection))
        guard now == transactions else { throw PushAttempt.Lost() }
    }

    /// - Parameter last: the number of the last transaction to return.
    func transactions(through last: Int64, _ frozen: [Int64: FrozenGroup]) -> [PendingTransaction] {
        var previous: [RowIdentity: PendingChange.Reference] = [:]
        var inserts: [RowIdentity: PendingChange.Reference] = [:]
        var given: [RowIdentity: PendingChange.Reference] = [:]
        var moves: [RowIdentity: [PendingChange.Reference]] = [:]
        let waiting = Set(log.entries.map(\.number))
        return log.entries.prefix { $0.number <= last }.map { entry in
            var changes: [PendingChange] = []
            for (place, change) in entry.changes.enumerated() {
                let identity = change.identity
                let here = PendingChange.Reference(number: entry.number, place: place)
                let temporary = temporary(of: change, inserts)
                changes.append(
                    PendingChange(
                        change: change.change(layout),
                        baseETag: ETagText.etag(change.etag),
                        hasTemporaryKey: temporary != nil,
                        previous: previous[identity],
                        temporaryReferences: references(change, inserts),
                        earlierInserts: parents(change, given).filter { $0.number != entry.number },
                        earlierMoves: change.operation == .delete
                            ? moves[identity, default: []].filter { $0.number != entry.number } : []
                    )
                )
                previous[identity] = here
                // The rows that it takes its row away from or gives it to, or that a deleted one was below.
                let principals = change.operation == .insert ? [] : change.principals(layout)
                for principal in principals { moves[principal, default: []].append(here) }
                guard change.operation == .insert else { continue }
                if let value = temporary {
                    inserts[RowIdentity(set: identity.set, key: [value])] = here
                } else {
                    given[identity] = here
                }
            }
            return PendingTransaction(
                number: entry.number,
                frozen: frozen[entry.number],
                changes: changes,
                earlier: log.order.numbers(before: entry.number).intersection(waiting).filter { $0 < entry.number },
                failures: failures[entry.number] ?? 0
            )
        }
    }

    /// The frozen transactions behind `last` that build on those up to it, or on each other; with what lies between.
    func frozenDependants(of last: Int64, _ frozen: [Int64: FrozenGroup]) -> [PendingTransaction] {
        guard let end = frozen.keys.max(), end > last else { return [] }
        let later = transactions(through: end, frozen).drop { $0.number <= last }
        var held = last
        for transaction in later where transaction.frozen != nil {
            if transaction.dependencies.contains(where: { $0 <= held }) { held = transaction.number }
        }
        return later.filter { $0.number <= held }
    }

    /// The part of a change's key that the server is to make, or `nil` where the key is known.
    ///
    /// - Parameter inserts: the changes that insert rows of temporary keys, by these.
    private func temporary(of change: OutboxChange, _ inserts: [RowIdentity: PendingChange.Reference]) -> Value? {
        let set = layout.sets[change.set]
        return zip(set.key, change.key).first { place, value in
            guard case .integer(let number) = value, number < 0, set.rules[place].isGeneratedKey else { return false }
            let isInserted = change.operation == .insert || inserts[RowIdentity(set: change.set, key: [value])] != nil
            return isInserted || temporaryKeys.contains(number)
        }?.1
    }

    /// The inserts of given keys that a change makes its row refer to, or that the row's key refers to.
    private func parents(
        _ change: OutboxChange,
        _ inserts: [RowIdentity: PendingChange.Reference]
    ) -> [PendingChange.Reference] {
        guard !inserts.isEmpty else { return [] }
        return layout.sets[change.set].outgoing.compactMap { reference in
            guard let places = reference.keyPlaces(layout) else { return nil }
            let held = reference.principal(of: change.identity, layout)
            return inserts[held ?? RowIdentity(set: reference.parent, key: places.compactMap { change.after($0) })]
        }
    }

    private func references(
        _ change: OutboxChange,
        _ inserts: [RowIdentity: PendingChange.Reference]
    ) -> [PendingChange.TemporaryReference] {
        layout.sets[change.set].outgoing.compactMap { reference in
            guard let navigation = reference.navigation else { return nil }
            let rules = layout.sets[reference.parent].rules
            // The part of the key that the server makes tells the entity: each temporary value is used once.
            for (child, parent) in zip(reference.childPlaces, reference.parentPlaces) where rules[parent].isGeneratedKey
            {
                guard let value = change.after(child), case .integer(let number) = value, number < 0 else { continue }
                guard let target = inserts[RowIdentity(set: reference.parent, key: [value])] else { continue }
                return PendingChange.TemporaryReference(navigation: navigation, target: target)
            }
            return nil
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

/// What a service answered to a push, read against the transactions that were sent.
struct PushAnswer: Sendable {
    /// One for each transaction, in order.
    private(set) var verdicts: [Verdict] = []
    /// How long to wait at least, where a transaction got no decision.
    private(set) var wait: Duration?
    /// What the service says of that.
    private(set) var reason: String?
    private var accepted: [Int64: [AcceptedRow]] = [:]
    private var refusals: [Int64: TransactionOutcome.Refusal] = [:]
    /// Those that another copy of the store has sent, and that met what came of it.
    private var sentByCopy: Set<Int64> = []
    /// Those that the service decided before, and whose answer it keeps no more.
    private var doneBefore: Set<Int64> = []
    /// Those that insert a row of a key that is there: it may be the same one, as where two devices tie the same two rows.
    private(set) var duplicates: Set<Int64> = []
    private let model: EntityModel
    private let isTold: Bool
    private let isWell: Bool
    /// One that is refused though the service has not decided it, and those that build on it.
    ///
    /// What these refer to is not there; with the others after it the service has not begun.
    private var givenUp: Set<Int64> = []

    /// - Parameters:
    ///   - isTold: whether the pull has told of rows that the service does not have. Before, nobody knows whether one was
    ///     deleted or is out of the user's sight.
    ///   - isWell: whether the service can read its database, so that what it fails of is a transaction's own.
    init(
        _ response: BatchResponse,
        batch: PushBatch,
        model: EntityModel,
        isTold: Bool,
        isWell: Bool
    ) throws {
        let items = Dictionary(response.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.model = model
        self.isTold = isTold
        self.isWell = isWell
        for transaction in batch.transactions {
            let answers = transaction.changes.indices.map {
                items[GroupBuilder.requestID(transaction.number, $0)]
            }
            let kind = try read(answers, of: transaction, batch: batch, model: model)
            verdicts.append(Verdict(number: transaction.number, kind: kind))
        }
        hold(batch)
    }

    private mutating func read(
        _ answers: [BatchResponse.Item?],
        of transaction: PendingTransaction,
        batch: PushBatch,
        model: EntityModel
    ) throws -> Verdict.Kind {
        var items: [BatchResponse.Item] = []
        for answer in answers {
            guard let answer else { return .unknown }
            items.append(answer)
        }
        if items.allSatisfy({ (200..<300).contains($0.status) }) {
            accepted[transaction.number] = try rows(items, transaction, model)
            return .accepted
        }
        let buildsOnGivenUp = !givenUp.isDisjoint(with: transaction.dependencies)
        if buildsOnGivenUp { givenUp.insert(transaction.number) }
        if let place = items.firstIndex(where: { Self.isUndecided($0.status) || Self.isOutdated($0) }) {
            if buildsOnGivenUp { return .again }
            if !givenUp.isEmpty { return .notBegun }
            let error = ClientError.answer(items[place])
            let failure = TransactionFailure(error, isWell: isWell)
            if let failure, transaction.failures + 1 >= TransactionFailure.most {
                givenUp.insert(transaction.number)
                refusals[transaction.number] = failure.refusal(of: transaction.changes[place], model)
                return .refused
            }
            wait = max(wait ?? .zero, error.retryAfter ?? failure?.pause ?? .zero)
            reason = reason ?? error.service?.message
            return failure == nil ? .unknown : .failed
        }
        guard let place = items.firstIndex(where: { $0.status >= 300 && $0.status != 424 }) else {
            return afterDependency(of: transaction, batch)
        }
        let isInherited = batch.inherited.contains(transaction.number)
        return try decided(
            items[place],
            place,
            of: transaction,
            isInherited: isInherited,
            noticesCopies: isInherited || batch.noticesCopies
        )
    }

    /// Whether a status decides nothing: the service may answer otherwise later.
    ///
    /// What it does not support (501), it never will.
    static func isUndecided(_ status: Int) -> Bool {
        status >= 500 && status != 501 || [401, 408, 425, 429].contains(status)
    }

    /// Whether the service did not execute something because it is in another epoch than the batch was sent for.
    static func isOutdated(_ response: BatchResponse) -> Bool { response.items.contains(where: isOutdated) }

    private static func isOutdated(_ item: BatchResponse.Item) -> Bool {
        item.status == 410 && ErrorBody.read(item.body)?.code == "EpochChanged"
    }

    /// A group that was not executed because one that it depends on was not.
    private func afterDependency(of transaction: PendingTransaction, _ batch: PushBatch) -> Verdict.Kind {
        let dependencies = transaction.dependencies
        let isOpen = verdicts.contains { !$0.kind.isDecided && dependencies.contains($0.number) }
        return isOpen ? .unknown : .again
    }

    private mutating func decided(
        _ item: BatchResponse.Item,
        _ place: Int,
        of transaction: PendingTransaction,
        isInherited: Bool,
        noticesCopies: Bool
    ) throws -> Verdict.Kind {
        let pending = transaction.changes[place]
        let change = pending.change
        let isOwn = transaction.isOwn(at: place)
        let error = ErrorBody.read(item.body)
        let code = error?.code ?? "Refused"
        let makesKeys = transaction.changes.contains { $0.change.operation == .insert && $0.hasTemporaryKey }
        func refuse(_ code: String, _ message: String) {
            refusals[transaction.number] = .init(code: code, message: message, status: item.status)
        }
        switch item.status {
        case 403 where code == "ClientOfOtherUser":
            throw SyncError(
                .otherUser,
                "The changes in this store were begun by another user.",
                advice: "Sign in as that user, or clone your own data into another file."
            )
        // Another copy of the store has sent it in another form, for what waits together is folded in each copy by
        // itself: what it did may be what these would do.
        case 400 where code == "RepeatabilityMismatch" && noticesCopies,
            412 where code == "RepeatabilityMismatch" && noticesCopies:
            refuse(code, Self.sentInAnotherForm)
            return .refused
        // Other bytes under this number were decided, as after a restored copy: these were never executed.
        case 400 where code == "RepeatabilityMismatch", 412 where code == "RepeatabilityMismatch": return .again
        // Decided, and the answer is forgotten: what is there now tells, but for rows whose key is not known.
        case 412 where code == "AlreadyDecided" && makesKeys: break
        // No row of the service is behind this one: no merge would ever help, and the answer would stay the same.
        case 404 where isOwn, 410 where isOwn, 412 where isOwn: break
        // Merged, it gets a new number, and the other copy's merged form has another one: both would take effect.
        case 404 where isInherited && change.operation != .insert, 410 where isInherited && change.operation != .insert,
            412 where isInherited && code != "AlreadyDecided":
            refuse("ConflictOfCopy", Self.conflictOfCopy)
            return .refused
        // The other copy may have found another row there, or made the one that it refers to again, and sent it anew.
        case 409
        where isInherited && change.operation == .insert
            && (code == "MissingReference" || code == "DuplicateKey" && !pending.hasTemporaryKey):
            refuse("ConflictOfCopy", [Self.conflictOfCopy, error?.message].compactMap(\.self).joined(separator: " "))
            return .refused
        case 412:
            if isInherited { sentByCopy.insert(transaction.number) }
            if code == "AlreadyDecided" { doneBefore.insert(transaction.number) }
            // Where the rows are not given, this is all that is known of it.
            if isInherited || code == "AlreadyDecided" { refuse(code, error?.message ?? Self.decidedBefore) }
            return .conflict
        case 409 where code == "DuplicateKey" && change.operation == .insert && !pending.hasTemporaryKey:
            duplicates.insert(transaction.number)
            refuse(code, error?.message ?? "The service has such a row.")
            return .conflict
        // The whole set is gone, or out of the user's sight, and may be back: what became of the row nobody knows.
        case 404 where error?.target == change.set: break
        // The row is gone: a precondition that fails, by another name.
        case 404 where change.operation != .insert, 410 where change.operation != .insert:
            return isTold ? .conflict : .missing
        // What it refers to may be made again by a change of this device, once it is known to be gone.
        case 409 where code == "MissingReference" && change.operation == .insert && !isTold:
            return .missing
        default: break
        }
        refuse(code, error?.message ?? "The service answered \(item.status).")
        return .refused
    }

    private static let sentInAnotherForm =
        "Another copy of this store has sent it in another form. Look what came of that before you send it again."

    private static let decidedBefore =
        "It was sent before, also by the store that this one may be a copy of, and what came of that is not known."

    private static let conflictOfCopy =
        "It meets a change on the service, and the store that this one was copied from may have sent it, merged."

    /// What one without decision refers to, in bytes that are frozen, stays with it: the service repeats the answers.
    private mutating func hold(_ batch: PushBatch) {
        var (held, heldShortly) = (Set<Int64>(), Set<Int64>())
        for (place, verdict) in verdicts.enumerated().reversed() {
            if held.contains(verdict.number), verdict.kind.isDecided { verdicts[place].kind = .unknown }
            if heldShortly.contains(verdict.number), verdicts[place].kind.isDecided { verdicts[place].kind = .notBegun }
            switch verdicts[place].kind {
            case .unknown, .failed: held.formUnion(batch.transactions[place].dependencies)
            case .notBegun: heldShortly.formUnion(batch.transactions[place].dependencies)
            case .accepted, .conflict, .refused, .missing, .again: break
            }
        }
    }

    private func rows(
        _ items: [BatchResponse.Item],
        _ transaction: PendingTransaction,
        _ model: EntityModel
    ) throws -> [AcceptedRow] {
        var rows: [AcceptedRow] = []
        for (place, item) in items.enumerated() {
            let change = transaction.changes[place].change
            guard change.operation != .delete, let set = model[set: change.set] else { continue }
            let etag = item.headers[.eTag].flatMap { ETag(text: $0) }
            guard !item.body.isEmpty else {
                rows.append(AcceptedRow(place: place, key: nil, etag: etag, values: nil))
                continue
            }
            let entity = try EntityAnswer(item.body, set: set)
            rows.append(AcceptedRow(place: place, key: entity.key, etag: entity.etag ?? etag, values: entity.values))
        }
        return rows
    }

    /// What the store is to do.
    ///
    /// - Parameters:
    ///   - current: the rows of conflicts as the service has them now.
    ///   - transactions: those that were sent.
    ///   - leavesScope: whether a row is outside of the store's subscription.
    func outcomes(
        current: CurrentRows.Found,
        transactions: [PendingTransaction] = [],
        leavesScope: (AcceptedRow, PendingTransaction) -> Bool = { _, _ in false }
    ) -> [TransactionOutcome] {
        let byNumber = Dictionary(transactions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        // Rows that hang together meet what became of them at once, with the pull.
        let waits = !isTold && (current.isMissing || verdicts.contains { $0.kind == .missing })
        return verdicts.map { verdict in
            let number = verdict.number
            switch verdict.kind {
            case .accepted:
                var rows = accepted[number] ?? []
                if let transaction = byNumber[number] {
                    for place in rows.indices { rows[place].leavesScope = leavesScope(rows[place], transaction) }
                }
                return .accepted(number: number, rows: rows)
            case .conflict:
                if let ungiven = current.refusals[number] {
                    return Self.refused(number, refusals[number] ?? ungiven)
                }
                let current = current.rows[number] ?? []
                // It took effect: merged and sent again, a counter would count it twice.
                if doneBefore.contains(number), let transaction = byNumber[number],
                    transaction.isDone(in: current, model)
                {
                    return .accepted(number: number, rows: transaction.rows(in: current))
                }
                if sentByCopy.contains(number), let transaction = byNumber[number],
                    !transaction.isDone(in: current, model)
                {
                    return refused(number)
                }
                if waits, !duplicates.contains(number), !sentByCopy.contains(number) { return .again(number: number) }
                return .conflict(
                    number: number,
                    current: waits && duplicates.contains(number) ? current.filter { $0.values != nil } : current,
                    refusal: duplicates.contains(number) ? refusals[number] : nil
                )
            case .refused: return refused(number)
            case .missing, .again: return .again(number: number)
            case .unknown, .notBegun: return .unknown(number: number)
            case .failed: return .unknown(number: number, isFailure: true)
            }
        }
    }

    private func refused(_ number: Int64) -> TransactionOutcome {
        let unsaid = TransactionOutcome.Refusal(code: "Refused", message: "The service refused it.", status: 400)
        return Self.refused(number, refusals[number] ?? unsaid)
    }

    private static func refused(_ number: Int64, _ refusal: TransactionOutcome.Refusal) -> TransactionOutcome {
        .refused(number: number, code: refusal.code, message: refusal.message, status: refusal.status)
    }
}

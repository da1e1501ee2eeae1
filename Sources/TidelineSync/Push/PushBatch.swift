// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStore

/// The transactions of one push, each with the bytes of its group.
struct PushBatch: Sendable {
    /// In the order of their numbers.
    var transactions: [PendingTransaction]
    /// The group of each transaction.
    var groups: [FrozenGroup]
    /// Those that are frozen for the first time now.
    var fresh: [FrozenGroup]
    /// The numbers of transactions that another copy of the store has too, and may have sent.
    let inherited: Set<Int64>
    /// Whether the store would have another client if its file were an older copy: its numbers mean one transaction each.
    let noticesCopies: Bool

    /// - Parameters:
    ///   - transactions: in order, from the first that waits.
    ///   - identity: who the store is now.
    init(_ transactions: [PendingTransaction], builder: GroupBuilder, identity: StoreIdentity) throws {
        let pending = Dictionary(transactions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        self.transactions = transactions
        inherited = Set(transactions.map(\.number).filter { identity.clientID(of: $0) != identity.clientID })
        noticesCopies = identity.noticesCopies
        groups = []
        fresh = []
        for transaction in transactions {
            if let frozen = transaction.frozen {
                groups.append(frozen)
            } else {
                let group = try builder.group(transaction, pending: pending)
                groups.append(group)
                fresh.append(group)
            }
        }
    }

    /// The content of the request.
    var body: [UInt8] {
        var writer = BatchRequestWriter()
        for group in groups { writer.append(encoded: group.bytes) }
        return writer.finish()
    }
}

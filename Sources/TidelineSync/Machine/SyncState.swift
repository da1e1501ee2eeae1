// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where a sync stands.
///
/// Every state but the last two waits for the event of one command.
enum SyncState: Hashable {
    /// Nothing has begun.
    case idle
    /// The outbox is being read.
    case reading
    /// A batch of `count` transactions is on its way.
    case sending(count: Int)
    /// Rows are being fetched for a merge.
    case fetching
    /// Outcomes are being stored; `wait` is set when a transaction got no decision.
    case settling(wait: Duration?)
    /// The subscriptions are being looked at.
    case preparing
    /// A page of `set` is being loaded, `rows` of `total` are there already; `rest` are the sets after it.
    case loading(set: String, link: String?, rows: Int, total: Int? = nil, rest: [String])
    /// The changes of all sets are being read.
    case receiving
    /// Delta links are being forgotten.
    case forgetting
    /// The checkpoint is being applied.
    case applying
    /// A failure passed; then the command of the state before is given again.
    indirect case waiting(before: SyncState)
    case finished
    case failed

    /// The load of the first of these sets begins, with the others after it; where there is none, the changes are read.
    static func loading(firstOf sets: [String]) -> SyncState {
        guard let first = sets.first else { return .receiving }
        return .loading(set: first, link: nil, rows: 0, rest: Array(sets.dropFirst()))
    }

    /// Where to go on where another sync of the store came between: what was read of the store is read again.
    var renewed: SyncState {
        switch self {
        case .sending: .reading
        default: .preparing
        }
    }

    /// Where to go on after a failure: what the state before had at hand is read again where it may have changed.
    var retried: SyncState {
        switch self {
        case .sending, .fetching, .settling: .reading
        default: self
        }
    }
}

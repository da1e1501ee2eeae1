// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineStore

/// What happened: the answer to the machine's last command.
enum SyncEvent {
    /// A sync was asked for.
    case start
    /// Transactions that wait, in order, none when all is sent; and whether there are more.
    case pending([Int64], hasMore: Bool)
    /// A batch was answered.
    ///
    /// - Parameters:
    ///   - wait: how long the service asks to wait, where one transaction got no decision.
    ///   - reason: what it says of that.
    case answered([Verdict], wait: Duration?, reason: String? = nil, jitter: Double)
    /// The rows that a merge needs are at hand.
    ///
    /// - Parameter isMissing: whether the service does not have one of them.
    case fetched(isMissing: Bool = false)
    /// The outcomes are stored.
    case settled(SettleReport)
    /// Which sets have no delta link and are loaded; whether any set is subscribed at all.
    case prepared(loads: [String], isEmpty: Bool)
    /// A page of a load is stored; `next` is the link of the page after it.
    ///
    /// - Parameter total: how many rows the load has in all, where the service said so.
    case page(rows: Int, total: Int? = nil, next: String?)
    /// The changes of all sets are staged.
    case staged
    /// The service takes the delta links of these sets no more.
    case expired(Set<String>)
    /// The delta links are forgotten.
    case forgotten
    /// The checkpoint is the state of the store.
    ///
    /// - Parameter failure: why it lacks the changes of a set.
    case applied(ApplyReport, failure: Fault? = nil, jitter: Double = 0)
    /// The wait is over.
    case waited
    /// A command failed.
    case failed(Fault, jitter: Double)
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// What the commands of a pull hand to each other.
struct PullWork {
    /// The hidden tables and links that it began from.
    var claim: PullClaim?
    /// Who the store was when the subscriptions were read; `nil` once time has passed since.
    var seen: StoreIdentity?
    /// The subscriptions by their sets.
    var subscriptions: [String: Subscription] = [:]
    /// The set that is being loaded.
    var load: Load?
    /// The delta links of complete loads, not stored yet.
    var loaded: [String: String] = [:]
    /// Sets that were read whole, because the service tracks no changes of them (a view): compared by key and ETag.
    var untracked: Set<String> = []
    /// Sets that the user may not read any more.
    var withheld: Set<String> = []
    /// Sets whose links are good no more because what the user may see, or the model, is another: a row that does not come may
    /// be hidden.
    var narrowed: Set<String> = []
    /// Sets that the service does not count, or not in time: their loads go without a total.
    var uncounted: Set<String> = []
    /// The sets as the service has them now, where that was asked; none where it does not say.
    var served: [EntitySet]?
    var checkpoint: Checkpoint?
    /// The event of the service that tells of no more than the checkpoint holds.
    var eventID: String?
    /// Why the changes of a set could not be had, while other sets could.
    var failure: (any Error)?
    /// How many values of each property the service told as exceptions or are NaN, by sets: in loads, and in changes.
    var exceptions = (loaded: Exceptions(), staged: Exceptions())

    typealias Exceptions = [String: [String: Int]]

    /// What of the rows the device does not hold, as ``SyncReport/leftOut`` tells it.
    var leftOut: [String] {
        let all = exceptions.loaded.merging(exceptions.staged) { $0.merging($1, uniquingKeysWith: +) }
        return all.flatMap { set, counts in counts.map { ("\(set).\($0)", $1) } }.sorted { $0.0 < $1.0 }.map {
            "\($0): \($1) \($1 == 1 ? "value that is" : "values that are") NaN or none of its type, so null"
        }
    }

    /// A load that goes on over several pages.
    struct Load {
        let first: FirstLoad
        let receiver: PageReceiver
    }
}

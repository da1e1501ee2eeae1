// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the engine has to do next.
///
/// Each command leads to exactly one event, but `report`, `finish` and `fail`.
enum SyncCommand {
    /// Read transactions that wait, at most so many.
    case readPending(limit: Int)
    /// Freeze and send what was read, read the answer.
    ///
    /// - Parameter isTold: whether the pull has told of rows that the service did not have.
    case send(isTold: Bool)
    /// Read the rows of transactions that met a failed precondition.
    case fetchCurrent
    /// Store the outcomes.
    case settle
    /// Put the only transaction read into quarantine: it is too large for the service.
    case quarantineTooLarge
    /// Find out which sets are to be loaded.
    case prepare
    /// Load the page at `link`; `nil` begins the load.
    case loadPage(set: String, link: String?)
    /// Read the changes of all sets from one snapshot into staging tables.
    case fetchDeltas
    /// Forget the delta links of sets.
    case forget(Set<String>)
    /// Make what was loaded and staged the state of the store.
    case apply
    case wait(Duration)
    /// Tell who watches.
    case report(SyncProgress)
    /// The sync is complete.
    case finish(SyncReport)
    /// The sync ends here; everything stored so far stays, everything else is as it was.
    case fail(any Error)
}

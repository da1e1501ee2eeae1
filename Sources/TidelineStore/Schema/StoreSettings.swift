// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How a store is opened.
public struct StoreSettings: Sendable {
    /// The most changes in one transaction, or `nil`.
    ///
    /// Checked at commit, so that the server never refuses its size.
    public var maximumChanges: Int?
    /// The most bytes of outbox record in one transaction, or `nil`.
    public var maximumTransactionBytes: Int?
    /// The most transactions that wait to be sent, those in quarantine among them, or `nil` for no limit.
    ///
    /// A write beyond it is refused with ``LocalStoreError/Code/outboxFull``. With a limit each write counts what waits.
    public var maximumPendingTransactions: Int?
    /// The most bytes of outbox record that wait to be sent, those in quarantine among them, or `nil` for no limit.
    public var maximumPendingBytes: Int?
    /// The most entries of the log of syncs, 1 or more.
    public var syncLogLength: Int
    /// The most entries of the conflict log that somebody has looked at; what nobody has looked at is always kept.
    public var conflictLogLength: Int
    /// How long a write waits for another process that writes.
    public var busyTimeout: Duration
    /// The folder that holds, for each store, the nonce that tells the file from its copies; `nil` looks for no copies.
    ///
    /// It lies outside of backups and beside the user's other settings. A store that is opened with a folder that does
    /// not know its nonce gets a new client identity before anything is sent.
    public var identityFolder: String?
    /// How often live lists look whether another process committed, or `nil` for never; see ``LocalStore/refresh()``.
    ///
    /// It costs some microseconds each time, and nothing while nobody listens.
    public var watchInterval: Duration?
    /// Prepares each new connection to the file before its first statement, for example with the key of an encrypted file.
    ///
    /// What it throws ends the opening; `nil` is nothing to prepare.
    ///
    ///     settings.prepareConnection = { try $0.execute("PRAGMA key = '\(passphrase)'") }
    ///
    /// It runs on whichever thread opens the connection, also later, when a reader is added.
    public var prepareConnection: (@Sendable (StoreConnection) throws -> Void)?
    /// Whether what delete rules do to dependents is sent with the deletion that asked for it.
    ///
    /// Without it the server's own rules have to do the same, and a deletion that the server refuses does not bring the
    /// dependents back before they are loaded anew.
    public var recordsCascades: Bool
    /// The functions of the app that decide conflicts, by the names that policies have for them.
    ///
    ///     settings.conflictFunctions["Prices"] = { change in max(change.mine, change.theirs) }
    ///
    /// They run inside the transaction that applies what the server sent, on any thread. A policy whose function is not
    /// here leaves the decision to its fallback.
    public var conflictFunctions: [String: ConflictFunction]
    /// Whether the forms with `await` run where they are called: for one deterministic thread, see TidelineSimulator.
    package var worksInPlace = false

    public init(
        maximumChanges: Int? = nil,
        maximumTransactionBytes: Int? = nil,
        busyTimeout: Duration = .seconds(5),
        identityFolder: String? = nil,
        watchInterval: Duration? = .milliseconds(500),
        prepareConnection: (@Sendable (StoreConnection) throws -> Void)? = nil,
        recordsCascades: Bool = true,
        maximumPendingTransactions: Int? = nil,
        maximumPendingBytes: Int? = nil,
        syncLogLength: Int = 200,
        conflictLogLength: Int = 10_000,
        conflictFunctions: [String: ConflictFunction] = [:]
    ) {
        self.maximumChanges = maximumChanges
        self.maximumTransactionBytes = maximumTransactionBytes
        self.busyTimeout = busyTimeout
        self.identityFolder = identityFolder
        self.watchInterval = watchInterval
        self.prepareConnection = prepareConnection
        self.recordsCascades = recordsCascades
        self.maximumPendingTransactions = maximumPendingTransactions
        self.maximumPendingBytes = maximumPendingBytes
        self.syncLogLength = syncLogLength
        self.conflictLogLength = conflictLogLength
        self.conflictFunctions = conflictFunctions
    }
}

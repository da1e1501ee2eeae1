// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How a store is opened.
public struct StoreSettings: Hashable, Sendable {
    /// The most changes in one transaction, or `nil`.
    ///
    /// Checked at commit, so that the server never refuses its size.
    public var maximumChanges: Int?
    /// The most bytes of outbox record in one transaction, or `nil`.
    public var maximumTransactionBytes: Int?
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

    public init(
        maximumChanges: Int? = nil,
        maximumTransactionBytes: Int? = nil,
        busyTimeout: Duration = .seconds(5),
        identityFolder: String? = nil,
        watchInterval: Duration? = .milliseconds(500)
    ) {
        self.maximumChanges = maximumChanges
        self.maximumTransactionBytes = maximumTransactionBytes
        self.busyTimeout = busyTimeout
        self.identityFolder = identityFolder
        self.watchInterval = watchInterval
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How a ``PostgresStore`` uses its database.
public struct PostgresStoreOptions: Sendable {
    /// Whether changes are captured in a log: the feed of a published database.
    public var isTracked: Bool
    /// The wire names of properties whose changes narrow deltas, by the wire name of their set.
    public var scopes: [String: [String]]
    /// The schema of tables whose names in the model say none.
    public var schema: String
    /// A physical replica, which may lag behind: ``PostgresStore/readCopy(_:)`` reads there, and every read of a store
    /// without tracking.
    ///
    /// What speaks of changes reads the database itself: its tokens are of one server's transactions.
    public var replica: String?
    /// The most connections at a time; as many for the replica.
    public var maximumConnections: Int
    /// How long a transaction waits for a connection before it fails as busy.
    public var connectionTimeout: Duration
    /// How long the server may work at one statement before it is stopped.
    public var statementTimeout: Duration
    /// How long a statement waits for a lock before it fails as busy.
    public var lockTimeout: Duration
    /// Whether the functions that filters need are made in the schema `tideline` where they are missing.
    ///
    /// Publishing makes them; without them, functions and arithmetic in filters fail.
    public var installsFunctions: Bool

    public init(
        isTracked: Bool = true,
        scopes: [String: [String]] = [:],
        schema: String = "public",
        replica: String? = nil,
        maximumConnections: Int = 8,
        connectionTimeout: Duration = .seconds(30),
        statementTimeout: Duration = .seconds(30),
        lockTimeout: Duration = .seconds(10),
        installsFunctions: Bool = true
    ) {
        self.isTracked = isTracked
        self.scopes = scopes
        self.schema = schema
        self.replica = replica
        self.maximumConnections = maximumConnections
        self.connectionTimeout = connectionTimeout
        self.statementTimeout = statementTimeout
        self.lockTimeout = lockTimeout
        self.installsFunctions = installsFunctions
    }

    /// For a database that nothing is synchronised from, such as that of the accounts.
    public static let untracked = PostgresStoreOptions(isTracked: false)

    var connection: PostgresConnection.Options {
        PostgresConnection.Options(
            statementTimeout: statementTimeout,
            lockTimeout: lockTimeout,
            schema: schema == "public" ? nil : schema
        )
    }
}

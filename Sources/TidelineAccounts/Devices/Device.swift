// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A client that synchronises with a domain: a store on a device.
public struct Device: Hashable, Sendable {
    public var domain: String
    /// The identifier by which the client's requests are repeatable.
    public var client: String
    /// The name of the user who used it last, empty where nobody signs in.
    public var user: String
    /// What it calls itself: the `User-Agent` of its last noted request.
    public var agent: String
    /// Seconds after 1970.
    public var firstSeen: Int64
    /// Seconds after 1970, at most ten minutes before its last request.
    public var lastSeen: Int64
    /// Seconds after 1970, or `nil` for a device that may synchronise.
    public var revokedAt: Int64?

    public init(
        domain: String,
        client: String,
        user: String,
        agent: String,
        firstSeen: Int64,
        lastSeen: Int64,
        revokedAt: Int64? = nil
    ) {
        self.domain = domain
        self.client = client
        self.user = user
        self.agent = agent
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.revokedAt = revokedAt
    }

    init(_ record: Record) {
        self.init(
            domain: record.text(0),
            client: record.text(1),
            user: record.text(2),
            agent: record.text(3),
            firstSeen: record.number(4),
            lastSeen: record.number(5),
            revokedAt: record.number(6) == 0 ? nil : record.number(6)
        )
    }
}

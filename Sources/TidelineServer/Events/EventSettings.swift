// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How devices that listen for changes are served.
public struct EventSettings: Hashable, Sendable {
    /// How often the log is looked at for changes of other processes, while somebody listens.
    public var interval: Duration
    /// After this time without an event a comment is sent, so that the connection is known to live.
    public var keepAlive: Duration
    /// After this time a stream ends; who listened comes again, and shows its token again.
    public var lifetime: Duration
    /// The longest time that a request with `wait` is kept.
    public var longestWait: Duration
    /// The most connections of one user that listen.
    public var mostPerUser: Int
    /// The most connections that listen in all.
    public var most: Int

    public init(
        interval: Duration = .milliseconds(500),
        keepAlive: Duration = .seconds(25),
        lifetime: Duration = .seconds(300),
        longestWait: Duration = .seconds(50),
        mostPerUser: Int = 32,
        most: Int = 12_000
    ) {
        self.interval = interval
        self.keepAlive = keepAlive
        self.lifetime = lifetime
        self.longestWait = longestWait
        self.mostPerUser = mostPerUser
        self.most = most
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How long a transport waits and how much it takes.
public struct TransportLimits: Hashable, Sendable {
    /// Until the connection stands.
    public var connect: Duration
    /// Between two pieces of an answer.
    public var idle: Duration
    /// From the request until the head of the answer.
    public var head: Duration
    /// The largest content of an answer, decompressed.
    public var bodySizeInBytes: Int

    public init(
        connect: Duration = .seconds(10),
        idle: Duration = .seconds(60),
        head: Duration = .seconds(120),
        bodySizeInBytes: Int = 1 << 30
    ) {
        self.connect = connect
        self.idle = idle
        self.head = head
        self.bodySizeInBytes = bodySizeInBytes
    }

    func tooLarge() -> ClientError {
        ClientError(
            .tooLarge,
            "The answer is larger than \(bodySizeInBytes) bytes.",
            advice: "Ask for less: a filter on the subscription, or fewer sets."
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The answer of a repeatable request, kept until the client has acknowledged it.
public struct KeptAnswer: Hashable, Sendable {
    /// The client's transaction number, or `nil` for a request of a client without numbers.
    public var transaction: Int64?
    /// A hash of the request, so that other bytes under the same identifier are noticed.
    public var requestHash: [UInt8]
    /// The answer as the service serialised it.
    public var bytes: [UInt8]

    public init(transaction: Int64?, requestHash: [UInt8], bytes: [UInt8]) {
        self.transaction = transaction
        self.requestHash = requestHash
        self.bytes = bytes
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A spool file could not be made, written or read.
public struct SpoolError: Error, Hashable, Sendable {
    /// What was tried.
    public enum Operation: String, Hashable, Sendable {
        case create, write, read
    }

    public var operation: Operation
    /// The system's number of the reason, `errno`.
    public var reason: Int32

    public init(_ operation: Operation, reason: Int32) {
        self.operation = operation
        self.reason = reason
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A rule of operations that a model breaks.
public struct OperationProblem: Hashable, Sendable {
    /// The wire name of the operation.
    public var operation: String
    /// What is wrong, one sentence.
    public var message: String

    public init(_ operation: String, _ message: String) {
        self.operation = operation
        self.message = message
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What the call of an operation gave.
///
///     200  {"rowsAffected":-1,"RETURN_VALUE":157,"count":9}    result -1, outputs RETURN_VALUE and count
public struct OperationAnswer: Hashable, Sendable {
    /// The plain result: the value of an operation that gives one, else the number of rows that it changed, -1 where
    /// nothing it did could change any; null for an operation that tells neither.
    public var result: Value
    /// The other values that it gave, by their names; what is structured is JSON text.
    public var outputs: [String: Value]

    public init(result: Value, outputs: [String: Value] = [:]) {
        self.result = result
        self.outputs = outputs
    }
}

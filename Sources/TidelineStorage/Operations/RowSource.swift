// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The rows of a set that a read is restricted to before anything else, by what an operation returned.
public enum RowSource: Hashable, Sendable {
    /// Those with these keys.
    case keys([Key])
    /// Those whose keys a function gives: the store calls it within the read, so that filter, order and page compose.
    ///
    /// Only for functions whose body is SQL or a routine; a handler's keys are ``keys(_:)``.
    case function(OperationCall)
}

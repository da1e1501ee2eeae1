// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The rows of a set that a read is restricted to before anything else, by what an operation or `$apply` gave.
public indirect enum RowSource: Sendable {
    /// Those with these keys.
    case keys([Key])
    /// Those whose keys a function gives: the store calls it within the read, so that filter, order and page compose.
    ///
    /// Only for functions whose body is SQL or a routine; a handler's keys are ``keys(_:)``.
    case function(OperationCall)
    /// Those that the steps of an aggregation leave; its columns and its order count for nothing here.
    case subset(AggregationPlan)

    /// The function that is called for it.
    package var function: OperationCall? {
        switch self {
        case .keys: nil
        case .function(let call): call
        case .subset(let plan): plan.source?.function
        }
    }
}

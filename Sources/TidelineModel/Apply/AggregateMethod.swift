// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How values are aggregated.
///
/// Source: OData Extension for Data Aggregation 4.0, section 3.2.1.5, "Aggregation methods".
public enum AggregateMethod: Hashable, Sendable {
    case sum, min, max, average
    case countDistinct
    /// A custom method by its qualified name.
    case custom(String)
}

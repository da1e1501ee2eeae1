// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a number counts.
///
/// Source: OData vocabulary Measures V1.
public enum Measure: Hashable, Sendable {
    /// A unit of measure, as `kg`.
    case unit(String)
    /// A currency by its ISO 4217 code, as `EUR`.
    case currency(String)
}

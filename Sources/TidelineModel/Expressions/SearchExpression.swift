// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What `$search` looks for.
///
///     mountain AND ("full suspension" OR NOT trail) bike
///
/// Terms side by side are joined by AND.
/// Source: OData URL Conventions 4.01, section 5.1.8; ABNF construction rules, `searchExpr`.
public indirect enum SearchExpression: Hashable, Sendable {
    /// One word.
    case word(String)
    /// Words in double quotes, to be found together.
    case phrase(String)
    case not(SearchExpression)
    case and(SearchExpression, SearchExpression)
    case or(SearchExpression, SearchExpression)
}

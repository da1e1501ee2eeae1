// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One computed property: `Price mul Quantity as Total`.
///
/// Source: OData URL Conventions 4.01, section 5.1.6, `$compute`.
public struct ComputeItem: Hashable, Sendable {
    public var expression: Expression
    /// The name of the property that is made.
    public var name: String

    public init(_ expression: Expression, as name: String) {
        self.expression = expression
        self.name = name
    }
}

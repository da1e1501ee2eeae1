// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One value of a key predicate or of a function call inside a path.
public struct PathArgument: Hashable, Sendable {
    /// The name of the key property or of the parameter; `nil` for the only value of a key.
    public var name: String?
    public var value: Expression

    public init(name: String?, value: Expression) {
        self.name = name
        self.value = value
    }
}

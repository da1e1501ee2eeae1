// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where an evaluated expression finds the values of an entity: a row at hand, and those that paths lead to.
public protocol PropertySource {
    /// The value at a path; null where an entity on the way is absent or a guard of the path is not true for it.
    func value(at path: TypedExpression.Path) throws -> Value
}

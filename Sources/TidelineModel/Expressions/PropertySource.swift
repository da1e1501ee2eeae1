// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where an evaluated expression finds the values of an entity: a row at hand, and those that paths lead to.
///
/// The scope (`up`) of paths and ways is the evaluator's business: a source takes each as starting from itself.
public protocol PropertySource {
    /// The value at a path; null where an entity on the way is absent or a guard of the path is not true for it.
    func value(at path: TypedExpression.Path) throws -> Value

    /// The entities that a way leads to; those that do not meet a guard of the way are not among them.
    func entities(at way: TypedExpression.Way) throws -> [any PropertySource]

    /// All entities of a set, by its wire name.
    func entities(of set: String) throws -> [any PropertySource]
}

extension PropertySource {
    /// For sources of single rows, that nothing from the service root is evaluated over.
    public func entities(of set: String) throws -> [any PropertySource] {
        throw ExpressionError(
            .unsupported,
            message: "Other entities cannot be looked at where only single rows are at hand."
        )
    }

    /// For sources of single rows, that no lambda and no count is evaluated over.
    public func entities(at way: TypedExpression.Way) throws -> [any PropertySource] {
        throw ExpressionError(
            .unsupported,
            message: "Collections of entities cannot be looked at where only single rows are at hand."
        )
    }
}

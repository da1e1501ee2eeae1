// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why an expression is no expression over an entity set.
public struct ExpressionError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// A name that is no property of the type at hand.
        case unknownProperty
        /// A path through a collection, or one that ends at an entity.
        case invalidPath
        /// An operand or argument of the wrong type.
        case wrongType
        /// A literal that cannot have the type of what it meets.
        case invalidLiteral
        /// A function with the wrong number of arguments.
        case argumentCount
        /// More levels than an expression may have.
        case tooDeep
        /// An integer divided by a zero that is written down.
        case divisionByZero
        /// A name that a row of a result would have twice.
        case duplicateName
        /// What the grammar has and expressions over entity sets do not, yet.
        case unsupported
        /// A function that the user may not call.
        case notAllowed
    }

    public var code: Code
    /// What is wrong, one sentence.
    public var message: String
    /// The path, function or operator concerned.
    public var target: String?

    public init(_ code: Code, message: String, target: String? = nil) {
        self.code = code
        self.message = message
        self.target = target
    }
}

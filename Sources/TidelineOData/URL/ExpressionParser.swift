// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reads the text of an expression.
///
///     Total gt 100 and startswith(Client/ClientName,'A')
///     \__/    \_/      \________/ \_______________/ \_/
///     path   literal    function        path       literal
///
/// Source: OData ABNF construction rules 4.01, section 4; precedence: OData URL Conventions 4.01, section 5.1.1.16,
/// with `in` before the unary operators, so that `not Name in ('A','B')` has a meaning.
public enum ExpressionParser {
    /// The most levels of an expression, of parentheses and of aliases in aliases together.
    public static let depthLimit = 100
    /// The most items of one `in` list.
    public static let listLimit = 10_000
    /// The most operators, names and literals of one request, aliases counted as often as they are used.
    public static let nodeLimit = 50_000

    /// Reads an expression from decoded text, such as a filter in `domain.yaml` or in a subscription.
    ///
    /// - Parameters:
    ///   - text: the whole expression.
    ///   - aliases: the texts of parameter aliases by name, without `@`; one that is missing is null.
    /// - Throws: `InvalidFilter`, `TooComplex` or `NotSupported`, with the offset in `text`.
    public static func parse(_ text: String, aliases: [String: String] = [:]) throws(ODataError) -> Expression {
        var reader = ExpressionReader(text, code: .invalidFilter, aliases: aliases)
        let expression = try reader.expression()
        try reader.expectEnd()
        return expression
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineOData

/// What `@Calculated` says of one property.
public struct CalculatedDescription: Sendable {
    /// The property of the entity type.
    public let property: CalculatedProperty

    /// - Parameters:
    ///   - code: the name in Swift.
    ///   - wire: the name on the wire.
    ///   - type: the Swift type of the value, without its `?`.
    ///   - expression: an expression of OData; it is a mistake of the source when it cannot be read.
    ///   - isCached: whether an object keeps the value until a commit touches what the expression reads.
    public init<Content: PropertyValue>(
        code: String,
        wire: String,
        _ type: Content.Type,
        expression: String,
        isCached: Bool = false
    ) {
        property = CalculatedProperty(
            names: Names(wire: wire, code: code),
            type: type.edmType,
            expression: Expression(source: expression, of: "@Calculated property \(code)"),
            isCached: isCached
        )
    }
}

extension Expression {
    /// The expression that a source has as text; a text that is none stops the program, as other mistakes of a source do.
    init(source text: String, of place: String) {
        do throws(ODataError) {
            self = try ExpressionParser.parse(text)
        } catch {
            preconditionFailure("The expression of the \(place) cannot be read: \(error.message) (\(text))")
        }
    }
}

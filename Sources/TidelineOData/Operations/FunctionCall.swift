// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A function call as a URL writes it: the parameters in parentheses, and those that the query may give.
///
///     TopProducts(count=5)        TopProducts(count=@n)?@n=5        TopProducts?count=5        TopProducts?@count=5
///
/// The last two are implicit parameters of 4.01: options of the parameters' names, for the last segment alone.
/// Source: OData Protocol 4.01, section 11.5.4.1; OData CSDL 4.01, section 12.
public struct FunctionCall {
    /// The parameters that stand in parentheses.
    public var arguments: [PathArgument]
    /// The texts of options that can be parameters, by name, and values of aliases.
    private let texts: [String: String]
    private let aliases: [String: Expression]
    /// Whether the call ends the path of its request.
    public let isLast: Bool

    /// - Parameter options: the options of the request, where the call ends its path.
    public init(_ arguments: [PathArgument], options: QueryOptions? = nil) {
        self.arguments = arguments
        texts = options?.custom ?? [:]
        aliases = options?.aliases ?? [:]
        isLast = options != nil
    }

    /// The parameters of a key predicate: `Top(count=5)` looks like an entity by its key.
    public init?(_ key: KeyPredicate?, options: QueryOptions? = nil) {
        switch key {
        case nil: self.init([], options: options)
        case .named(let pairs)?:
            self.init(pairs.map { PathArgument(name: $0.name, value: .literal($0.value)) }, options: options)
        case .positional?: return nil
        }
    }

    /// The overload that is meant, and all values of the call.
    ///
    /// Of the overloads with all parameters that are given and none missing, that with the most of them is meant.
    ///
    /// - Parameter overloads: the functions of the name that fit what they are called on; at least one.
    /// - Throws: what ``ParameterReader`` throws where there is one overload; else `MissingParameter`.
    public func resolve(
        _ overloads: [EdmOperation],
        in model: EntityModel
    ) throws(ODataError) -> (operation: EdmOperation, values: [Value?]) {
        let given = Set(arguments.compactMap(\.name))
        let fitting = overloads.filter { overload in
            given.allSatisfy { overload.parameterIndex(wire: $0) != nil }
                && overload.parameters.allSatisfy {
                    $0.isOptional || given.contains($0.names.wire) || hasImplicit($0.names.wire)
                }
        }
        let ranked = fitting.map { (operation: $0, matched: matched($0, given)) }
        let best = ranked.max {
            ($0.matched, -$0.operation.parameters.count) < ($1.matched, -$1.operation.parameters.count)
        }
        guard let chosen = best?.operation ?? (overloads.count == 1 ? overloads[0] : nil) else {
            let forms = overloads.map { "(\($0.parameters.map(\.names.wire).joined(separator: ",")))" }
            let name = overloads.first?.names.wire ?? "function"
            throw ODataError(
                .missingParameter,
                "No overload of \(name) has these parameters; there are \(forms.joined(separator: ", ")).",
                target: name
            )
        }
        var all = arguments
        for parameter in chosen.parameters where !given.contains(parameter.names.wire) {
            guard let value = try implicit(parameter.names.wire) else { continue }
            all.append(PathArgument(name: parameter.names.wire, value: value))
        }
        return (chosen, try ParameterReader(chosen, model: model).values(of: all))
    }

    private func matched(_ operation: EdmOperation, _ given: Set<String>) -> Int {
        operation.parameters.count { given.contains($0.names.wire) || hasImplicit($0.names.wire) }
    }

    private func hasImplicit(_ name: String) -> Bool { aliases[name] != nil || texts[name] != nil }

    /// The value that the query gives a parameter: `@name=value` or `name=value`.
    private func implicit(_ name: String) throws(ODataError) -> Expression? {
        if let value = aliases[name] { return value }
        guard let text = texts[name] else { return nil }
        var reader = ExpressionReader(text, code: .invalidQueryOption)
        do throws(ODataError) {
            let value = try reader.aliasValue()
            reader.text.skipBlanks()
            try reader.expectEnd()
            return value
        } catch {
            throw ODataError(
                .invalidQueryOption,
                "The value of \(name) is none; a text stands in quotes: \(name)='…'.",
                target: name
            )
        }
    }
}

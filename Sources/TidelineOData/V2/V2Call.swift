// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel

/// A service operation of v2: an import, called with its parameters as query options.
///
///     GET  Top?count=5L&name='a'   →   GET  Top(count=@count,name=@name)?@count=5&@name='a'
///     POST Close?id=7              →   POST Close   {"id":7}
///
/// Source: MS-ODATA, section 2.2.3.1, `serviceOperation`.
struct V2Call {
    let operation: EdmOperation
    /// The path of the v4 request, percent-encoded.
    private(set) var path: String
    /// The options of the v4 request that carry the values, percent-encoded.
    private(set) var query = ""
    private(set) var body: [UInt8] = []
    private let context: V2Context

    /// - Returns: `nil` where the path begins with no import.
    /// - Throws: `NotSupported` with the reason for what v2 cannot say.
    init?(_ text: Substring, query: Substring, method: HTTPRequest.Method, context: V2Context) throws(ODataError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        var name = try PercentCoding.decode(parts.first ?? "")
        if name.hasSuffix("()") { name.removeLast(2) }
        guard context.model[set: name] == nil else { return nil }
        let overloads = context.model.operations(imported: name)
        guard !overloads.isEmpty else { return nil }
        guard parts.count == 1 else {
            throw ODataError(.notSupported, "OData v2 takes no path after the call of \(name).", target: name)
        }
        let options = try Self.options(query)
        operation = Self.overload(overloads, options)
        self.context = context
        path = name
        if let reason = context.reasonAgainst(operation) { throw ODataError(.notSupported, reason, target: name) }
        var values: [(parameter: OperationParameter, text: String)] = []
        for parameter in operation.parameters {
            guard let text = options.first(where: { $0.name == parameter.names.wire })?.value else { continue }
            guard context.isExpressible(parameter) else {
                throw ODataError(
                    .notSupported,
                    "OData v2 cannot say the parameter \(parameter.names.wire) of \(name).",
                    target: name
                )
            }
            values.append((parameter, try translate(text, of: parameter)))
        }
        if operation.kind == .function {
            let names = values.map(\.parameter.names.wire)
            path += "(\(names.map { "\($0)=@\($0)" }.joined(separator: ",")))"
            self.query = ResourceURL.query(values.map { (name: "@\($0.parameter.names.wire)", value: $0.text) })
        } else if method == .post {
            body = try json(values)
        }
    }

    private static func options(_ query: Substring) throws(ODataError) -> [(name: String, value: String)] {
        var options: [(name: String, value: String)] = []
        for part in query.split(separator: "&") {
            let cut = part.firstIndex(of: "=") ?? part.endIndex
            let plain = part[cut...].dropFirst().map { $0 == "+" ? "%20" : String($0) }.joined()
            options.append((try PercentCoding.decode(part[..<cut]), try PercentCoding.decode(plain[...])))
        }
        return options
    }

    /// The overload with the most of the parameters that are given, and all that it needs.
    private static func overload(
        _ overloads: [EdmOperation],
        _ options: [(name: String, value: String)]
    ) -> EdmOperation {
        let names = Set(options.map(\.name))
        let fitting = overloads.filter { $0.parameters.allSatisfy { $0.isOptional || names.contains($0.names.wire) } }
        func matched(_ operation: EdmOperation) -> Int {
            operation.parameters.count { names.contains($0.names.wire) }
        }
        return fitting.max { matched($0) < matched($1) } ?? overloads[0]
    }

    /// The literal of v2 as one of v4.
    private func translate(_ text: String, of parameter: OperationParameter) throws(ODataError) -> String {
        let name = parameter.names.wire
        guard let property = context.model.property(of: parameter) else { return text }
        // The form of a moment depends on the type of what it is compared with.
        let type = EntityType(names: Names(wire: "parameters"), properties: [property], key: [])
        let set = EntitySet(names: Names(wire: "parameters"), type: type)
        let translated = try V2Expression(context: context, set: set).translate("\(name) \(text)")
        return String(translated.dropFirst(name.count + 1))
    }

    private func json(_ values: [(parameter: OperationParameter, text: String)]) throws(ODataError) -> [UInt8] {
        var arguments: [PathArgument] = []
        for (parameter, text) in values {
            let name = parameter.names.wire
            let expression: Expression
            do throws(ODataError) {
                expression = try ExpressionParser.parse(text)
            } catch {
                throw ODataError(.invalidValue, "The value of \(name) is none.", target: name)
            }
            arguments.append(PathArgument(name: name, value: expression))
        }
        let reader = ParameterReader(operation, model: context.model)
        let output = ByteWriter()
        for (argument, value) in zip(arguments, try reader.given(arguments)) {
            output.append(text: output.count == 0 ? "{" : ",")
            output.appendQuoted(argument.name ?? "")
            output.append(":")
            guard let place = operation.parameterIndex(wire: argument.name ?? ""),
                let property = context.model.property(of: operation.parameters[place])
            else { continue }
            output.append(value: value, of: property, in: context.model, format: JSONFormat(version: .v40))
        }
        output.append(text: output.count == 0 ? "{}" : "}")
        return output.bytes
    }
}

extension V2Context {
    /// Why v2 cannot say an operation, one sentence; `nil` when it can.
    func reasonAgainst(_ operation: EdmOperation) -> String? {
        let name = operation.names.wire
        if operation.isBound { return "OData v2 has no bound operations, so \(name) cannot be called." }
        for parameter in operation.parameters where !parameter.isOptional && !isExpressible(parameter) {
            return "OData v2 cannot say the parameter \(parameter.names.wire) of \(name)."
        }
        guard let type = operation.returnType, !isPlain(type) else { return nil }
        switch type.element {
        case .entity(let set, _): if model[set: set]?.isContained == false { return nil }
        case .complex(let complex):
            if !type.isCollection, model.properties(ofComplex: complex).allSatisfy(isVisible) { return nil }
        default: break
        }
        return "OData v2 cannot say what \(name) gives."
    }

    /// Whether v2 can say a parameter; what is optional is left out where it cannot.
    func isExpressible(_ parameter: OperationParameter) -> Bool {
        !parameter.type.isCollection && isPlain(parameter.type)
    }

    private func isPlain(_ type: OperationType) -> Bool {
        switch type.element {
        case .primitive(let primitive): !primitive.isSpatial
        case .enumeration: true
        case .complex, .entity: false
        }
    }

    /// The name of an operation's type in v2.
    func type(of type: OperationType) -> String {
        let element: String
        switch type.element {
        case .primitive, .enumeration:
            var single = type
            single.isCollection = false
            element = model.property(Names(wire: "value"), of: single).map { self.type(of: $0) } ?? "Edm.String"
        case .complex, .entity: element = "\(model.namespace).\(model.typeName(of: type.element))"
        }
        return type.isCollection ? "Collection(\(element))" : element
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reads the values of an operation's parameters, from the body of an action's call or from a URL.
///
///     {"groupId":10,"names":["a","b"]}        TopProducts(groupId=10,names=@n)?@n=["a","b"]
///
/// Values have the form of ``TidelineModel/EntityModel/property(of:)``: a complex value and a collection are JSON text.
/// Source: OData Protocol 4.01, sections 11.5.4.1 and 11.5.5.1; OData JSON Format 4.01, section 18.
public struct ParameterReader {
    let operation: EdmOperation
    let model: EntityModel

    public init(_ operation: EdmOperation, model: EntityModel) {
        self.operation = operation
        self.model = model
    }

    // MARK: Bodies

    /// The values that a body gives, by the places of the parameters; `nil` for what is left to its default.
    ///
    /// No body and an empty object are the same. A nullable parameter that is not there is null.
    /// - Throws: `InvalidJSON`, `InvalidBody`; `UnknownParameter`, `MissingParameter` and `InvalidValue` with the
    ///   parameter as target.
    public func values(in body: [UInt8]) throws(ODataError) -> [Value?] {
        var values = [Value?](repeating: nil, count: operation.parameters.count)
        if !body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            try JSONReader.read(body[...]) { reader throws(ODataError) in try object(&reader, into: &values) }
        }
        for (place, parameter) in operation.parameters.enumerated() where values[place] == nil {
            if parameter.isOptional { continue }
            guard parameter.type.isNullable, !parameter.type.isCollection else { throw missing(parameter) }
            values[place] = .null
        }
        return values
    }

    private func object(_ reader: inout JSONReader, into values: inout [Value?]) throws(ODataError) {
        guard try reader.kind() == .object else {
            throw ODataError(
                .invalidBody,
                "The body of a call is a JSON object with the parameters as members.",
                at: reader.offset
            )
        }
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            let name = try reader.string(token)
            guard case .plain(let plain) = ControlName(name) else {
                try reader.skipValue()
                continue
            }
            guard let place = operation.parameterIndex(wire: plain) else { throw unknown(plain, reader.offset) }
            guard values[place] == nil else {
                throw ODataError(.invalidBody, "\(plain) is there twice.", target: plain, at: reader.offset)
            }
            values[place] = try value(at: place, &reader)
        }
    }

    private func value(at place: Int, _ reader: inout JSONReader) throws(ODataError) -> Value {
        try PropertyValueReader(model: model).value(of: try property(at: place), &reader)
    }

    // MARK: URLs

    /// The values of a call in a URL, by the places of the parameters; `nil` for what is left to its default.
    ///
    /// - Parameter arguments: the parameters with names of their own; those of other names are refused.
    /// - Throws: as ``values(in:)``; `InvalidKey` for a parameter that is there twice.
    public func values(of arguments: [PathArgument]) throws(ODataError) -> [Value?] {
        var values = [Value?](repeating: nil, count: operation.parameters.count)
        for argument in arguments {
            let name = argument.name ?? ""
            guard let place = operation.parameterIndex(wire: name) else { throw unknown(name, nil) }
            guard values[place] == nil else {
                throw ODataError(.invalidURL, "The parameter \(name) is there twice.", target: name)
            }
            values[place] = try value(of: argument.value, at: place)
        }
        for (place, parameter) in operation.parameters.enumerated() where values[place] == nil {
            guard parameter.isOptional else { throw missing(parameter) }
        }
        return values
    }

    /// The values of parameters that are all given, in the order of giving.
    func given(_ arguments: [PathArgument]) throws(ODataError) -> [Value] {
        var values: [Value] = []
        for argument in arguments {
            guard let place = operation.parameterIndex(wire: argument.name ?? "") else {
                throw unknown(argument.name ?? "", nil)
            }
            values.append(try value(of: argument.value, at: place))
        }
        return values
    }

    /// The value that an expression of a URL stands for: a literal, or JSON.
    private func value(of expression: Expression, at place: Int) throws(ODataError) -> Value {
        let property = try property(at: place)
        switch expression {
        case .list, .object:
            let text = try ParameterJSON.write(expression, of: property.names.wire)
            return try JSONReader.read(text[...]) { reader throws(ODataError) in try value(at: place, &reader) }
        case .enumeration(let type, let members):
            let name = type.split(separator: ".").last.map(String.init) ?? type
            guard property.enumeration == name, let number = model[enumeration: name]?.value(of: members) else {
                throw wrong(property)
            }
            return .integer(number)
        case .literal(let literal): return try checked(literal, property)
        default: throw wrong(property)
        }
    }

    private func checked(_ literal: Value, _ property: Property) throws(ODataError) -> Value {
        var value: Value? = literal
        if literal != .null {
            if property.structure != nil { throw wrong(property) }
            if let name = property.enumeration {
                value = literal.text.flatMap { model[enumeration: name]?.value(of: $0) }.map(Value.integer)
            } else if case .geography = literal {
                value = property.type.isSpatial ? literal : nil
            } else {
                value = LiteralCast.cast(literal, to: property.type)
            }
        }
        guard let value else { throw wrong(property) }
        do throws(ValueError) {
            return try property.check(value)
        } catch {
            throw ODataError(.invalidValue, error.message, target: property.names.wire)
        }
    }

    // MARK: Errors

    private func property(at place: Int) throws(ODataError) -> Property {
        guard let property = model.property(of: operation.parameters[place]) else {
            throw ODataError(
                .notSupported,
                "Entities are not supported as parameters.",
                target: operation.parameters[place].names.wire
            )
        }
        return property
    }

    private func wrong(_ property: Property) -> ODataError {
        let name = property.names.wire
        let parameter = operation.parameterIndex(wire: name).map { operation.parameters[$0] }
        let type = parameter.map { $0.type.isCollection ? "collection" : model.typeName(of: $0.type.element) }
        var hint = ""
        if property.structure != nil { hint = " It is given as JSON by an alias: \(name)=@p with @p={…} in the query." }
        return ODataError(.invalidValue, "The value of \(name) is no \(type ?? "value").\(hint)", target: name)
    }

    private func missing(_ parameter: OperationParameter) -> ODataError {
        let name = parameter.names.wire
        return ODataError(.missingParameter, "\(operation.names.wire) needs the parameter \(name).", target: name)
    }

    private func unknown(_ name: String, _ offset: Int?) -> ODataError {
        let name = String(name.prefix(128))
        if name == operation.binding?.name {
            return ODataError(
                .unknownParameter,
                "\(name) is what \(operation.names.wire) is called on: the URL says it.",
                target: name,
                at: offset
            )
        }
        let names = operation.parameters.map(\.names.wire).joined(separator: ", ")
        return ODataError(
            .unknownParameter,
            "\(operation.names.wire) has no parameter \(name); it has \(names.isEmpty ? "none" : names).",
            target: name,
            at: offset
        )
    }
}

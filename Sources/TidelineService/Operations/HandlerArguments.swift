// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage

/// What a call gives the code of an operation: the values of the parameters, checked, and what it is called on.
///
/// Each of the readers by type gives `nil` for null, and for a parameter that was left out and has no default.
public struct HandlerArguments: Sendable {
    private let call: OperationCall
    /// The model of the domain.
    public let model: EntityModel

    init(_ call: OperationCall, in model: EntityModel?) {
        self.call = call
        self.model = model ?? EntityModel(namespace: "Default", sets: [])
    }

    /// The overload that was called.
    public var operation: EdmOperation { call.operation }

    /// Who asks.
    public var user: UserContext { call.user }

    /// The entity that it is called on, or `nil` for an unbound operation and a collection.
    public var key: Key? { call.operation.binding?.isCollection == false ? call.keys.first : nil }

    /// The entities of the collection that it is called on, as far as the user sees them.
    public var keys: [Key] { call.keys }

    /// The set of what it is called on, or `nil` for an unbound operation.
    public var set: EntitySet? { call.operation.binding.flatMap { model[set: $0.set] } }

    /// The value of a parameter in the form of rows; null where it was left out and has no default.
    ///
    /// - Throws: ``TidelineStorage/StorageError`` `unsupported` where the overload has no such parameter.
    public func value(_ name: String) throws -> Value {
        guard call.operation.parameterIndex(wire: name) != nil else {
            throw call.operation.unusable("its code asks for the parameter \(name), which it does not have")
        }
        return call.argument(name)
    }

    /// The value of a parameter of the type `Edm.String`, or the JSON text of a structured one.
    public func string(_ name: String) throws -> String? {
        try read(name) { value in
            if case .string(let text) = value { text } else { nil }
        }
    }

    /// The value of a parameter of an integer type, or the number of an enumeration's member.
    public func integer(_ name: String) throws -> Int64? {
        try read(name) { value in
            if case .integer(let number) = value { number } else { nil }
        }
    }

    /// The value of a parameter of the type `Edm.Boolean`.
    public func boolean(_ name: String) throws -> Bool? {
        try read(name) { value in
            if case .boolean(let flag) = value { flag } else { nil }
        }
    }

    /// The value of a parameter of the type `Edm.Double` or `Edm.Single`.
    public func double(_ name: String) throws -> Double? {
        try read(name) { value in
            if case .double(let number) = value { number } else { nil }
        }
    }

    /// The value of a parameter of the type `Edm.Decimal`.
    public func decimal(_ name: String) throws -> EdmDecimal? {
        try read(name) { value in
            if case .decimal(let number) = value { number } else { nil }
        }
    }

    /// The value of a parameter of the type `Edm.Guid`.
    public func guid(_ name: String) throws -> GUID? {
        try read(name) { value in
            if case .guid(let guid) = value { guid } else { nil }
        }
    }

    /// The value of a parameter of the type `Edm.Date`.
    public func date(_ name: String) throws -> CalendarDate? {
        try read(name) { value in
            if case .date(let date) = value { date } else { nil }
        }
    }

    /// The value of a parameter of the type `Edm.DateTimeOffset`.
    public func moment(_ name: String) throws -> DateTimeOffset? {
        try read(name) { value in
            if case .dateTimeOffset(let moment) = value { moment } else { nil }
        }
    }

    /// The value of a parameter of the type `Edm.Binary`.
    public func binary(_ name: String) throws -> [UInt8]? {
        try read(name) { value in
            if case .binary(let bytes) = value { bytes } else { nil }
        }
    }

    private func read<Result>(_ name: String, _ body: (Value) -> Result?) throws -> Result? {
        let value = try self.value(name)
        if value.isNull { return nil }
        guard let result = body(value) else {
            throw call.operation.unusable("its code takes the parameter \(name) for another type than it has")
        }
        return result
    }
}

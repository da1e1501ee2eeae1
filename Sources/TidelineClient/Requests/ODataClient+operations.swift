// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import TidelineModel
import TidelineOData

/// Calls of functions and actions that stand in the entity container.
extension ODataClient {
    /// Calls an operation and gives its plain result; other values that it gives are passed over.
    ///
    /// - Parameters:
    ///   - name: the name of the import: `TestStoredProcedure`.
    ///   - parameters: the values by the names of the parameters.
    ///   - model: what ``model()`` gave, where it is at hand; else it is asked for first.
    /// - Throws: ``ClientError``: `notFound` for an unknown operation, `refused` for parameters that it does not take.
    public func call(_ name: String, _ parameters: [String: Value] = [:], model: EntityModel? = nil) async throws
        -> Value
    {
        try await callWithOutputs(name, parameters, model: model).result
    }

    /// Calls an operation and gives its result and all other values that it gives.
    ///
    /// - Throws: as ``call(_:_:model:)``.
    public func callWithOutputs(
        _ name: String,
        _ parameters: [String: Value] = [:],
        model: EntityModel? = nil
    ) async throws -> OperationAnswer {
        let model = if let model { model } else { try await self.model() }
        let overloads = model.operations(imported: name)
        let fitting = overloads.first { operation in
            parameters.keys.allSatisfy { operation.parameterIndex(wire: $0) != nil }
                && operation.parameters.allSatisfy { $0.isOptional || parameters[$0.names.wire] != nil }
        }
        guard let operation = fitting ?? overloads.first else {
            throw ClientError(.notFound, "The service has no operation \(name).", advice: "Check the name.")
        }
        let segment = PercentCoding.encode(segment: name)
        let response: TransportResponse
        switch operation.kind {
        case .action: response = try await send(.post, segment, body: try Self.body(parameters, operation, model))
        case .function: response = try await get(Self.link(segment, parameters))
        }
        return try OperationAnswer(response.body, of: operation, in: model)
    }

    /// Calls an operation and hands its plain result to a closure, once, whatever becomes of the call.
    ///
    /// - Returns: the task of the call, so that it can be cancelled; the closure gets `CancellationError` then.
    @discardableResult
    public func call(
        _ name: String,
        _ parameters: [String: Value] = [:],
        model: EntityModel? = nil,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Task<Void, Never> {
        callWithOutputs(name, parameters, model: model) { answer in completion(answer.map(\.result)) }
    }

    /// Calls an operation and hands its result and all other values to a closure, once, whatever becomes of the call.
    ///
    /// - Returns: the task of the call, so that it can be cancelled; the closure gets `CancellationError` then.
    @discardableResult
    public func callWithOutputs(
        _ name: String,
        _ parameters: [String: Value] = [:],
        model: EntityModel? = nil,
        completion: @escaping @Sendable (Result<OperationAnswer, any Error>) -> Void
    ) -> Task<Void, Never> {
        Task {
            let result: Result<OperationAnswer, any Error>
            do {
                result = .success(try await callWithOutputs(name, parameters, model: model))
            } catch {
                result = .failure(error)
            }
            completion(result)
        }
    }

    private static func body(
        _ parameters: [String: Value],
        _ operation: EdmOperation,
        _ model: EntityModel
    ) throws -> [UInt8] {
        let output = ByteWriter()
        output.append("{")
        for (turn, (name, value)) in parameters.sorted(by: { $0.key < $1.key }).enumerated() {
            guard let place = operation.parameterIndex(wire: name),
                let property = model.property(of: operation.parameters[place])
            else {
                throw ClientError(
                    .refused,
                    "\(operation.names.wire) has no parameter \(name).",
                    advice: "It has: \(operation.parameters.map(\.names.wire).joined(separator: ", "))."
                )
            }
            if turn > 0 { output.append(",") }
            output.appendQuoted(name)
            output.append(":")
            EntityContent.append(value, of: property, to: output)
        }
        output.append("}")
        return output.bytes
    }

    /// The link of a function's call: values stand as aliases in the query, whatever characters they have.
    private static func link(_ segment: String, _ parameters: [String: Value]) -> String {
        let sorted = parameters.sorted { $0.key < $1.key }
        guard !sorted.isEmpty else { return segment + "()" }
        let names = sorted.enumerated().map { "\(PercentCoding.encode(segment: $1.key))=@p\($0)" }.joined(
            separator: ","
        )
        let values = sorted.enumerated().map { (name: "@p\($0)", value: ExpressionPrinter.literal($1.value)) }
        return "\(segment)(\(names))?\(ResourceURL.query(values))"
    }
}

extension OperationAnswer {
    /// Reads the body of an answer.
    init(_ body: [UInt8], of operation: EdmOperation, in model: EntityModel) throws(ClientError) {
        guard !body.isEmpty, let type = operation.returnType else {
            self.init(result: .null)
            return
        }
        guard let json = JSONValue(String(decoding: body, as: UTF8.self)), case .object(let members) = json else {
            throw ODataClient.unreadable(ODataError(.invalidBody, "The answer of the operation is no object."))
        }
        let plain = members.filter { !$0.name.contains("@") }
        let isWrapped = plain.count == 1 && plain[0].name == "value"
        let columns = model.resultColumns(of: type)
        if isWrapped, !type.isCollection, let column = columns.first, columns.count == 1 {
            self.init(result: Self.value(plain[0].value, column))
            return
        }
        if isWrapped {
            self.init(result: .null, outputs: ["value": .string(plain[0].value.text)])
            return
        }
        var outputs: [String: Value] = [:]
        for member in plain {
            let column = columns.first { $0.names.wire == member.name }
            outputs[member.name] = column.map { Self.value(member.value, $0) } ?? .string(member.value.text)
        }
        let affected = operation.rowsAffectedProperty ?? "rowsAffected"
        self.init(result: outputs.removeValue(forKey: affected) ?? .null, outputs: outputs)
    }

    private static func value(_ json: JSONValue, _ column: Property) -> Value {
        if json == .null { return .null }
        if column.structure != nil { return .string(json.text) }
        // A member of an enumeration stays the name that it has on the wire.
        if column.enumeration != nil, case .string(let name) = json { return .string(name) }
        return json.value(as: column.type)
    }
}

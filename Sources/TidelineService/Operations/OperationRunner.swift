// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Runs operations: on the store, or by the program's own code.
struct OperationRunner: Sendable {
    private var model: EntityModel?
    private var handlers: [String: OperationHandler] = [:]

    init() {}

    init(model: EntityModel, handlers: [OperationHandler]) {
        self.model = model
        self.handlers = Dictionary(handlers.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// Calls a function.
    func call(_ call: OperationCall, _ reader: any StoreReader) throws -> OperationResult {
        guard call.operation.body == .handler else { return try reader.call(call) }
        guard case .function(let body) = try handler(of: call).body else { throw Self.missing(call) }
        return try checked(try body(HandlerArguments(call, in: model), reader), call)
    }

    /// Performs an action; when it fails, all that it changed is undone.
    func perform(_ call: OperationCall, _ writer: any StoreWriter) throws -> OperationResult {
        guard call.operation.body == .handler else { return try writer.perform(call) }
        guard case .action(let body) = try handler(of: call).body else { throw Self.missing(call) }
        return try writer.savepoint { try checked(try body(HandlerArguments(call, in: model), writer), call) }
    }

    private func handler(of call: OperationCall) throws(ODataError) -> OperationHandler {
        guard let handler = handlers[call.operation.names.wire] else { throw Self.missing(call) }
        return handler
    }

    private static func missing(_ call: OperationCall) -> ODataError {
        ODataError(.notSupported, "This server has no code for \(call.operation.names.wire).")
    }

    /// The result, as long as it is what the operation says that it returns.
    private func checked(_ result: OperationResult, _ call: OperationCall) throws -> OperationResult {
        let operation = call.operation
        guard let type = operation.returnType, let model else {
            return OperationResult(rowsAffected: result.rowsAffected)
        }
        guard result.rows.count <= call.rowLimit else {
            throw StorageError(.tooManyRows, message: "\(operation.names.wire) gives more than \(call.rowLimit) rows.")
        }
        let columns = model.resultColumns(of: type)
        var result = try result.completed(for: operation, columns)
        for row in result.rows.indices {
            guard result.rows[row].count == columns.count else {
                throw Self.unfit(
                    operation,
                    "a row of \(result.rows[row].count) values in the place of \(columns.count)"
                )
            }
            for (place, column) in columns.enumerated() {
                do throws(ValueError) {
                    result.rows[row][place] = try column.check(result.rows[row][place])
                } catch {
                    throw Self.unfit(operation, error.message)
                }
            }
        }
        return result
    }

    private static func unfit(_ operation: EdmOperation, _ what: String) -> StorageError {
        StorageError(.unreadableValue, message: "The code of \(operation.names.wire) gave what it may not: \(what)")
    }
}

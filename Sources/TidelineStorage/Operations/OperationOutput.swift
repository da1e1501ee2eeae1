// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Gathers the result of one call.
package struct OperationOutput {
    private let call: OperationCall
    private let columns: OperationColumns?
    private var rows: [[Value]] = []

    /// - Parameter columns: how rows are read, where there are any to read.
    package init(_ call: OperationCall, _ columns: OperationColumns?) {
        self.call = call
        self.columns = columns
    }

    /// Takes one row.
    ///
    /// - Parameter read: reads a column of the SQL as a property.
    /// - Returns: whether more rows are wanted.
    /// - Throws: ``StorageError`` `tooManyRows`.
    package mutating func take(_ read: (_ column: Int, _ property: Int) throws -> Value) throws -> Bool {
        guard let columns else { return false }
        guard rows.count < call.rowLimit else {
            throw StorageError(
                .tooManyRows,
                message: "\(call.operation.names.wire) gives more than \(call.rowLimit) rows."
            )
        }
        var row: [Value] = []
        for (property, column) in columns.places.enumerated() {
            row.append(try column.map { try read($0, property) } ?? .null)
        }
        rows.append(row)
        return call.operation.returnType?.isCollection == true
    }

    /// The result, with the number of rows affected in its place.
    ///
    /// - Throws: ``StorageError`` `unreadableValue` for a null where the type has none.
    package func result(rowsAffected: Int) throws -> OperationResult {
        try OperationResult(rows: rows, rowsAffected: rowsAffected).completed(for: call.operation, columns?.properties)
    }
}

extension OperationResult {
    /// The result with the number of rows affected in the place that the operation has for it.
    ///
    /// - Throws: ``StorageError`` `unreadableValue` for a null where the type has none.
    package func completed(for operation: EdmOperation, _ properties: [Property]?) throws -> OperationResult {
        guard let properties, let type = operation.returnType else {
            return OperationResult(rowsAffected: rowsAffected)
        }
        var result = self
        if let name = operation.rowsAffectedProperty,
            let place = properties.firstIndex(where: { $0.names.wire == name })
        {
            if result.rows.isEmpty { result.rows = [properties.map { _ in .null }] }
            for row in result.rows.indices where result.rows[row][place].isNull {
                result.rows[row][place] = .integer(Int64(rowsAffected))
            }
        }
        if type.entitySet != nil { result.rows.removeAll { $0.contains(.null) } }
        for row in result.rows {
            for (value, property) in zip(row, properties) where value.isNull && !property.isNullable {
                throw StorageError(
                    .unreadableValue,
                    properties: [property.names.wire],
                    message: "\(operation.names.wire) gives null for \(property.names.wire), which cannot be null."
                )
            }
        }
        return result
    }
}

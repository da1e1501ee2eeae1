// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Lends values that are at hand to what else reads rows of a statement.
///
///     let decoder = RowDecoder(Order.entitySet.type.properties)
///     let order = try decoder.decode(values) { try Order(row: &$0) }
public struct RowDecoder: Sendable {
    private let columns: [DeviceColumn]

    /// - Parameter properties: what the values are of, in their order.
    public init(_ properties: [Property]) {
        columns = properties.map { DeviceColumn($0, place: 0, isKey: false) }
    }

    /// What is read from one row.
    ///
    /// - Parameters:
    ///   - values: as many as there are properties, each of its property's family or null.
    ///   - read: reads the values in their order.
    /// - Throws: what `read` throws, ``LocalStoreError`` where a value has another type than is asked for.
    public func decode<Result>(
        _ values: [Value],
        _ read: (inout RowCursor) throws -> Result
    ) throws -> Result {
        let packed = PackedColumns(columns.count)
        for (column, value) in zip(columns, values) { packed.append(value, column) }
        var cursor = RowCursor(packed)
        return try read(&cursor)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The rows of an entity set, with the definitions of their fields.
///
///     let clients = try await client.fetch("Clients")
///     clients.fields.map(\.names.wire)        // ["ClientId", "ClientName", …]
///     clients.value("ClientName", at: 0)
public struct FetchedTable: Hashable, Sendable {
    /// The set, with its type.
    public var set: EntitySet
    /// The definitions of the columns, in their order.
    public var fields: [Property]
    /// The values of each row, in the order of ``fields``.
    public var rows: [[Value]]

    public init(set: EntitySet, fields: [Property], rows: [[Value]]) {
        self.set = set
        self.fields = fields
        self.rows = rows
    }

    /// A value by the wire name of its field, or `nil` where there is no such field or row.
    public func value(_ field: String, at row: Int) -> Value? {
        guard rows.indices.contains(row), let place = fields.firstIndex(where: { $0.names.wire == field }) else {
            return nil
        }
        return rows[row][place]
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A Swift type whose instances are the entities of one set; `@Entity` writes the conformance.
///
///     static let entitySet = EntitySet(names: Names(wire: "Orders", code: "orders"), type: EntityType(...))
///     init(row: inout RowCursor) throws { orderId = try Int64.read(from: &row); ... }
///     func bind(into binder: inout Binder) { orderId.bind(into: &binder); ... }
///
/// Both read and bind every property of the type, in the type's order. A generated key of a new entity is 0: the store
/// gives it a temporary one.
public protocol Entity: Sendable {
    /// The set, with its type.
    static var entitySet: EntitySet { get }
    /// Makes the entity from a row that holds all its properties, in order.
    init(row: inout RowCursor) throws
    /// Gives each property its value, in order.
    func bind(into binder: inout Binder)
}

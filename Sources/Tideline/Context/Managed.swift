// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
public import TidelineStore

/// A typed object of an `EditingContext`: its properties are read and set as those of the struct are.
///
///     let order = try context.insert(Order(orderDate: .now, clientId: ann))
///     order.remark = "soon"                         // marks this property alone
///     try order.relate(\.client, to: bob)             // and bob's orders have it
///     try order.save()                              // the whole context
///
/// What it knows beside its properties (state, undo, edit mode) is told by ``row``. A required property that has no
/// value yet reads as zero, false, empty or the start of time; the save refuses it.
@dynamicMemberLookup
public struct Managed<Model: Queryable>: Hashable {
    /// The object itself.
    public let row: ManagedRow

    /// - Parameter row: an object of the entity's set.
    init(_ row: ManagedRow) { self.row = row }

    /// The object as a value of its own: what is set in it changes nothing here.
    ///
    /// - Throws: what reading the store throws, ``LocalStoreError`` for a value that the struct cannot hold.
    public var value: Model {
        get throws { try row.decoded(as: Model.self, calculating: Model.hasCalculated) }
    }

    /// A property, or a calculated one.
    ///
    /// Setting one of an object that is deleted, or that the server makes, is a programmer's error.
    public subscript<Content: PropertyValue>(dynamicMember keyPath: WritableKeyPath<Model, Content>) -> Content {
        get {
            do {
                let isCalculated = try row.isCalculated(keyPath)
                return try row.decoded(as: Model.self, calculating: isCalculated)[keyPath: keyPath]
            } catch {
                preconditionFailure("The property of \(Model.self) cannot be read: \(error)")
            }
        }
        nonmutating set {
            do {
                try row.set(newValue, at: keyPath)
            } catch {
                preconditionFailure("The property of \(Model.self) cannot be set: \(error)")
            }
        }
    }

    /// The objects that refer to this one by a `@Reference`.
    ///
    ///     let sessions = track.collection(of: Session.self, by: \.track)
    public func collection<Element: Queryable>(
        of type: Element.Type = Element.self,
        by keyPath: KeyPath<Element.Columns, Model.Columns>
    ) -> ManagedCollection<Element> {
        ManagedCollection(owner: row, navigation: Element.navigation(keyPath))
    }

    /// The objects that a `@HasMany` leads to.
    ///
    ///     try track.sessions.add(session)
    public subscript<Element: Queryable>(
        dynamicMember keyPath: KeyPath<Model.Columns, Related<Element>>
    ) -> ManagedCollection<Element> {
        let name = Model.Columns(navigationPath: [])[keyPath: keyPath].path.last ?? ""
        let inverse = Model.entityDescription.collections.first { $0.wire == name }?.inverse
        return ManagedCollection(owner: row, navigation: inverse ?? name)
    }

    /// The object that a `@Reference` leads to, or `nil`.
    ///
    ///     let client = try order.related(\.client, Client.self)
    public func related<Target: Queryable>(
        _ keyPath: KeyPath<Model.Columns, Target.Columns>,
        _ type: Target.Type = Target.self
    ) throws -> Managed<Target>? {
        try row.related(Model.navigation(keyPath)).map(Managed<Target>.init)
    }

    /// Makes a `@Reference` lead to another object, or to none; the other end follows.
    public func relate<Target: Queryable>(
        _ keyPath: KeyPath<Model.Columns, Target.Columns>,
        to other: Managed<Target>?
    ) throws {
        try row.relate(Model.navigation(keyPath), to: other?.row)
    }

    /// Marks the object to be deleted, with what the delete rules say of its dependents.
    public func delete() throws { try row.context?.delete(row) }

    /// Saves the whole context of the object.
    public func save() throws { try row.context?.save() }
}

extension Queryable {
    static var hasCalculated: Bool { !entitySet.type.calculatedProperties.isEmpty }

    /// The name on the wire of the navigation property that a reference's columns are reached by.
    fileprivate static func navigation<Target: EntityColumns>(_ keyPath: KeyPath<Columns, Target>) -> String {
        Columns(navigationPath: [])[keyPath: keyPath].navigationPath.last ?? ""
    }
}

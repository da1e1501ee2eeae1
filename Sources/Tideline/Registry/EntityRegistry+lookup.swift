// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStore

/// Types by name, and instances made of names and values.
extension EntityRegistry {
    /// What to do with names that an entity type does not have.
    public enum UnknownNames: Sendable {
        /// They are passed over, as in data that a newer service sends.
        case ignored
        /// They are an error.
        case refused
    }

    /// The type of a name: that of an entity set, an entity type or a Swift type.
    ///
    /// - Throws: ``LocalStoreError/Code/unknownSet`` when none or several have it.
    public func type(named name: String) throws(LocalStoreError) -> any Queryable.Type {
        if let type = self[set: name] { return type }
        let found = types.filter { $0.entityDescription.type == name || "\($0)" == name }
        guard found.count == 1 else {
            let reason = found.isEmpty ? "No entity set or type" : "More than one entity type"
            throw LocalStoreError(.unknownSet, set: name, message: "\(reason) named '\(name)' is registered.")
        }
        return found[0]
    }

    /// The entity set of a registered Swift type.
    ///
    /// - Throws: ``LocalStoreError/Code/unknownSet`` for a type that is not registered.
    public func entitySet(of type: any Queryable.Type) throws(LocalStoreError) -> EntitySet {
        guard self[set: type.entityDescription.set] == type else {
            throw LocalStoreError(
                .unknownSet,
                set: type.entityDescription.set,
                message: "The type \(type) is not registered."
            )
        }
        return type.entitySet
    }

    /// The entity sets of all types with their properties, in the order of registration.
    public var entitySets: [EntitySet] { types.map { $0.entitySet } }

    /// A new instance of a type from names and values; what is not given has its default, or null.
    ///
    /// - Parameters:
    ///   - name: a name of the type, as ``type(named:)`` takes it.
    ///   - values: the values by name, on the wire or in code.
    ///   - unknown: what to do with names that the type does not have.
    /// - Throws: ``LocalStoreError``: `unknownSet`, `unknownProperty`, `invalidValue`, `nullValue` for a required
    ///   property that has no value, `invalidKey` and `readOnly` for what the server makes.
    public func make(
        _ name: String,
        from values: [String: Value] = [:],
        unknown: UnknownNames = .refused
    ) throws -> any Queryable {
        let type = try type(named: name)
        var given = values
        if unknown == .ignored {
            let entityType = type.entitySet.type
            given = given.filter { entityType.place(named: $0.key) != nil }
        }
        return try type.init(Row(newIn: type.entitySet, given))
    }

    /// New instances of a type, one for each of some maps of names and values.
    ///
    /// - Throws: as ``make(_:from:unknown:)``, for the first that does not fit.
    public func make(
        _ name: String,
        contentsOf rows: some Sequence<[String: Value]>,
        unknown: UnknownNames = .refused
    ) throws -> [any Queryable] {
        try rows.map { try make(name, from: $0, unknown: unknown) }
    }

    /// The instance of the registered type that a row of a store stands for.
    ///
    /// - Throws: ``LocalStoreError``: `unknownSet` for a set without a type, and what the cast of the row throws.
    public func entity(of row: Row) throws -> any Queryable {
        try type(named: row.set.names.wire).init(row)
    }
}

extension LocalStore {
    /// All entities of a set, by key, as instances of the type that is registered for it.
    public func entities(in set: String, of registry: EntityRegistry) throws -> [any Queryable] {
        try rows(in: set).map { try registry.entity(of: $0) }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reading and setting properties by their wire names.
extension ManagedRow {
    /// The value of a property, or of a calculated property; reads the row first where that did not happen yet.
    ///
    /// - Throws: ``LocalStoreError``: `unknownProperty`; `noSuchEntry` when an object that is read now has no row; what
    ///   reading the store throws.
    public subscript(name: String) -> Value {
        get throws {
            if let place = set.places[name] {
                try load()
                return values[place]
            }
            if let calculated = type.calculatedProperties.first(where: { $0.names.wire == name }) {
                return try value(of: calculated)
            }
            return values[try set.place(name)]
        }
    }

    /// All values, by the wire names of the properties.
    public var namedValues: [String: Value] {
        get throws {
            try load()
            return set.named(values)
        }
    }

    /// The values in the order of the properties.
    package var orderedValues: [Value] {
        get throws {
            try load()
            return values
        }
    }

    /// The value that the store had when the object was read, or null for a new one.
    public func originalValue(_ name: String) throws -> Value {
        let place = try set.place(name)
        try load()
        return base?[place] ?? .null
    }

    /// What is known of a property.
    public func slot(_ name: String) throws -> SlotState {
        let place = try set.place(name)
        switch presence {
        case .unloaded: return set.layout.key.contains(place) ? .loaded : []
        case .new: return given.contains(place) ? [.loaded, .modified] : .loaded
        case .stored, .deleted, .detached:
            guard let base, values[place] != base[place] else { return .loaded }
            return [.loaded, .modified]
        }
    }

    /// Gives a property a value; an equal value changes nothing and marks nothing.
    ///
    /// What type a property has is checked here, all other rules at the save.
    /// - Throws: ``LocalStoreError``: `unknownProperty`, `invalidValue` for a value of another type, `readOnly`,
    ///   `invalidKey` for the key of an object that was saved, `noSuchEntry` for one that is deleted.
    public func set(_ name: String, _ value: Value) throws {
        try set([name: value])
    }

    /// Gives several properties their values, as one step of undo.
    public func set(_ new: [String: Value]) throws {
        var places: [Int: Value] = [:]
        for (name, value) in new {
            let place = try set.place(name)
            places[place] = try set.fitting(value, place)
        }
        try set(places: places)
    }

    package func set(places: [Int: Value]) throws {
        try openContext().assign(self, places)
    }

    /// Gives a property the value back that the store had.
    public func revert(_ name: String) throws {
        let place = try set.place(name)
        guard presence == .stored, let base else { return }
        try openContext().assign(self, [place: base[place]])
    }

    /// Takes everything back that is pending: a new object is abandoned, a deleted one is back, a changed one as it was.
    ///
    /// One step of undo.
    public func revert() throws { try openContext().revert(self) }

    /// The context.
    ///
    /// - Throws: ``LocalStoreError/Code/noSuchEntry`` where there is none.
    func openContext() throws -> EditingContext {
        guard let context, presence != .detached else {
            throw LocalStoreError(
                .noSuchEntry,
                set: set.name,
                message: "This object of '\(set.name)' belongs to no context any more."
            )
        }
        return context
    }

    /// The context, once it has taken notice of what others committed; the row is read then.
    func currentContext() throws -> EditingContext {
        try openContext().catchUp()
        try load()
        return try openContext()
    }

    /// Reads the row where that did not happen yet.
    func load() throws {
        guard presence == .unloaded, let identity else { return }
        guard let stored = try openContext().storedRow(identity) else {
            throw LocalStoreError(
                .noSuchEntry,
                set: set.name,
                message: "There is no entity of '\(set.name)' with this key."
            )
        }
        take(stored)
    }

    /// Takes values of the store; nothing is pending then.
    func take(_ stored: [Value]) {
        presence = .stored
        values = stored
        base = stored
        isStale = false
        changedValues()
    }
}

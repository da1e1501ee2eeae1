// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What was changed in a row since it was read or saved.
extension Row {
    /// Sets a property; an equal value changes nothing, and setting back what was there takes the change away.
    ///
    /// Length, range and the other rules are checked when the row is saved.
    /// - Throws: ``LocalStoreError``: `unknownProperty`, `invalidValue` for a value of another type, `invalidKey` for a
    ///   key that the server makes or that a saved row has, `readOnly` for what the server makes or is calculated.
    public mutating func set(_ name: String, to value: Value) throws(LocalStoreError) {
        let place = try place(name)
        let value = try fitting(value, place)
        guard value != values[place] else { return }
        guard place < set.type.properties.count else {
            throw refused(.readOnly, place, "is calculated and cannot be written")
        }
        if set.type.isCounted(place) { throw refused(.invalidKey, place, "is made by the server and cannot be given") }
        if !isNew, set.type.key.contains(place) {
            throw refused(.invalidKey, place, "is part of the key and cannot change")
        }
        guard set.type.takesValue(place) else { throw refused(.readOnly, place, "is made by the server") }
        let original: Value? = if let known = originals[place] { known } else { values[place] }
        values[place] = value
        if value == original { originals[place] = nil } else { originals.updateValue(original, forKey: place) }
    }

    /// Whether any property was changed.
    public var isModified: Bool { !originals.isEmpty }

    /// The wire names of the properties that were changed, in the order of the type.
    public var modifiedProperties: [String] { originals.keys.sorted().map(name) }

    /// Whether a property was changed.
    public func isModified(_ name: String) throws(LocalStoreError) -> Bool { originals[try place(name)] != nil }

    /// What a property had when the row was read or saved.
    public func original(_ name: String) throws(LocalStoreError) -> Value {
        let place = try place(name)
        guard let original = originals[place] else { return try value(at: place) }
        guard let original else { throw refused(.notLoaded, place, "was not read, so it has no value here") }
        return original
    }

    /// Takes the changes of one property back.
    public mutating func revert(_ name: String) throws(LocalStoreError) {
        let place = try place(name)
        if let original = originals.removeValue(forKey: place) { values[place] = original }
    }

    /// Takes all changes back, a mark for deletion too.
    public mutating func revert() {
        for (place, original) in originals { values[place] = original }
        originals = [:]
        isMarkedForDeletion = false
    }

    /// Lets the next save delete the row.
    public mutating func markForDeletion() { isMarkedForDeletion = true }

    /// The changed values, by wire name.
    var changes: [String: Value] {
        Dictionary(uniqueKeysWithValues: originals.keys.map { (name(of: $0), values[$0] ?? .null) })
    }
}

extension LocalTransaction {
    /// Writes what was changed in a row: inserts a new one with the properties that were set, updates the changed
    /// properties of another, deletes one that is marked; a row without changes touches nothing.
    ///
    /// The row then has what the store has, the generated key too. When the transaction fails later, it has it still:
    /// keep a copy to try again with.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: ``LocalStoreError``: `noSuchEntry` when the row to update is gone, and what ``insert(_:into:)`` and
    ///   ``update(_:_:in:)`` throw.
    @discardableResult
    public func save(_ row: inout Row) throws -> Bool {
        let set = row.set.names.wire
        if row.isMarkedForDeletion { return try row.isNew ? false : delete(row.key, in: set) }
        guard row.isNew || row.isModified else { return false }
        var key = row.key
        if row.isNew {
            key = try insert(row.changes, into: set)
        } else if try !update(key, row.changes, in: set) {
            throw LocalStoreError(.noSuchEntry, set: set, message: "The entity of '\(set)' to change is gone.")
        }
        guard let stored = try entity(key, in: set) else {
            throw LocalStoreError(.noSuchEntry, set: set, message: "The entity of '\(set)' that was saved is gone.")
        }
        row = try Row(loadedFrom: stored, row.shape)
        return true
    }
}

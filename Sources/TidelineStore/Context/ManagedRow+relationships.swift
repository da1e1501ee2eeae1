// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Relationships, read from foreign keys and the pending changes of the context: both ends always say the same.
extension ManagedRow {
    /// The object that a navigation property leads to, or `nil`; of a collection the first.
    ///
    /// - Throws: ``LocalStoreError/Code/unknownProperty``, and what reading the store throws.
    public func related(_ name: String) throws -> ManagedRow? {
        try related(set.navigation(name)).first
    }

    /// The objects that a navigation property leads to, in the order of their keys.
    public func relatedRows(_ name: String) throws -> [ManagedRow] {
        try related(set.navigation(name))
    }

    func related(_ navigation: NavigationProperty) throws -> [ManagedRow] {
        if let link = navigation.link { return try linked(by: link) }
        let context = try currentContext()
        let ends = try ends(navigation)
        let foreign = ends.own.map { values[$0] }
        guard !foreign.contains(.null) else { return [] }
        return try context.rows(ends.other, where: ends.theirs, are: foreign)
    }

    /// Makes a to-one navigation property lead to another object, or to none.
    ///
    /// The other end follows, because it is the same foreign key.
    /// - Throws: ``LocalStoreError``: `unknownProperty`, `unsupported` for a collection or an object of another context,
    ///   `invalidKey` when the other object has no key yet, `noSuchEntry` when it is deleted.
    public func relate(_ name: String, to other: ManagedRow?) throws {
        let navigation = try set.navigation(name)
        guard !navigation.isCollection else {
            throw LocalStoreError(
                .unsupported,
                set: set.name,
                properties: [name],
                message: "'\(name)' leads to many objects: add to it, or remove from it."
            )
        }
        let context = try currentContext()
        let ends = try ends(navigation)
        try other?.checkPartner(of: self, ends.other, name)
        if navigation.isDependent {
            let values = try other?.keyValues(ends.theirs) ?? ends.own.map { _ in Value.null }
            try context.assign(self, Dictionary(zip(ends.own, values), uniquingKeysWith: { first, _ in first }))
            return
        }
        try context.group {
            for holder in try related(navigation) where holder !== other { try holder.lose(ends.theirs) }
            try other?.refer(ends.theirs, to: keyValues(ends.own))
        }
    }

    /// Adds an object to a to-many navigation property: from then on it leads back to this one.
    ///
    /// Of many to many it is a new object of the set between the two; one that is there already stays the only one.
    /// - Throws: ``LocalStoreError``: `unknownProperty`, `unsupported` for a navigation property that leads to one object
    ///   and for an object of another context, `invalidKey` when an end has no key yet, `noSuchEntry` when it is deleted,
    ///   `readOnly` where the set between can only be read; and what reading the store throws.
    public func add(_ other: ManagedRow, to name: String) throws {
        let navigation = try collection(name)
        try other.checkPartner(of: self, openContext().set(navigation.targetSet), name)
        if let link = navigation.link { return try self.link(other, by: link) }
        let ends = try ends(navigation)
        try other.refer(ends.theirs, to: keyValues(ends.own))
    }

    /// Takes an object out of a to-many navigation property: it leads nowhere then.
    ///
    /// An object that needs the reference keeps nothing in its place, and the save refuses that. Of many to many the
    /// object between the two is deleted.
    /// - Throws: as ``add(_:to:)``, but for `readOnly`: the save tells that.
    public func remove(_ other: ManagedRow, from name: String) throws {
        let navigation = try collection(name)
        try other.checkPartner(of: self, openContext().set(navigation.targetSet), name)
        if let link = navigation.link { return try unlink(other, by: link) }
        let ends = try ends(navigation)
        guard try ends.theirs.map({ try other.orderedValues[$0] }) == keyValues(ends.own) else { return }
        try other.lose(ends.theirs)
    }

    private typealias Ends = (own: [Int], other: ContextSet, theirs: [Int])

    private func collection(_ name: String) throws -> NavigationProperty {
        let navigation = try set.navigation(name)
        guard navigation.isCollection else {
            throw LocalStoreError(
                .unsupported,
                set: set.name,
                properties: [name],
                message: "'\(name)' leads to one object: use `relate`."
            )
        }
        _ = try currentContext()
        return navigation
    }

    /// The places of the properties that tie the two sets.
    private func ends(_ navigation: NavigationProperty) throws -> Ends {
        (
            navigation.constraints.map(\.source), try openContext().set(navigation.targetSet),
            navigation.constraints.map(\.target)
        )
    }

    /// Checks that this can be the other end of a relationship.
    private func checkPartner(of owner: ManagedRow, _ expected: ContextSet, _ name: String) throws {
        guard set === expected, let context, context === owner.context else {
            throw LocalStoreError(
                .unsupported,
                set: owner.set.name,
                properties: [name],
                message: "'\(name)' takes objects of '\(expected.name)' from the same context."
            )
        }
        guard presence != .deleted else {
            throw LocalStoreError(
                .noSuchEntry,
                set: set.name,
                message: "An object that is deleted cannot be referred to."
            )
        }
        try load()
    }

    func keyValues(_ places: [Int]) throws -> [Value] {
        let values = places.map { self.values[$0] }
        guard !values.contains(.null) else {
            throw LocalStoreError(
                .invalidKey,
                set: set.name,
                properties: set.layout.names(places),
                message: "Give the object of '\(set.name)' its key before others refer to it."
            )
        }
        return values
    }

    private func refer(_ places: [Int], to values: [Value]) throws {
        let pairs = Dictionary(zip(places, values), uniquingKeysWith: { first, _ in first })
        try openContext().assign(self, pairs)
    }

    private func lose(_ places: [Int]) throws {
        try refer(places, to: places.map { _ in Value.null })
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A row of an entity set whose properties are known at run time: for tools, which have no Swift type for it.
///
///     var row = try store.row(Key([.integer(5)]), in: "Orders")
///     try row["Total"]; try row.Total; try row.decimal("Total")    // three ways to one value
///     try row.set("Remark", to: .string("soon"))
///     try store.write { tx in try tx.save(&row) }                  // writes Remark alone
///
/// A value: it knows what was changed in it, and nothing of the store. Names are those on the wire or in code, in any
/// letter case where that leaves one property.
@dynamicMemberLookup
public struct Row: Hashable, Sendable {
    /// What the rows of one set share.
    final class Shape: Hashable, Sendable {
        let set: EntitySet
        private let places: [String: Int]
        /// By names in lower case; `nil` for several properties.
        private let similar: [String: Int?]

        init(_ set: EntitySet) {
            self.set = set
            let stored = set.type.properties.map(\.names)
            let names = stored + set.type.calculatedProperties.map(\.names)
            var places: [String: Int] = [:]
            var similar: [String: Int?] = [:]
            for (place, name) in names.enumerated() { places[name.wire] = place }
            for (place, name) in names.enumerated() {
                if places[name.code] == nil { places[name.code] = place }
                for lower in Set([name.wire.lowercased(), name.code.lowercased()]) {
                    similar[lower] = similar[lower] == nil ? .some(place) : .some(nil)
                }
            }
            self.places = places
            self.similar = similar
        }

        func place(_ name: String) -> Int? { places[name] ?? similar[name.lowercased()] ?? nil }

        static func == (left: Shape, right: Shape) -> Bool { left === right || left.set == right.set }
        func hash(into hasher: inout Hasher) { hasher.combine(set.names.wire) }
    }

    let shape: Shape
    /// By place, properties first and then what is calculated; `nil` for what was not read.
    var values: [Value?]
    /// What changed properties had before, by their places; `nil` for what was not read.
    var originals: [Int: Value?] = [:]
    /// Whether the row was made here and is in no store yet.
    public internal(set) var isNew: Bool
    /// Whether saving deletes the row.
    public internal(set) var isMarkedForDeletion = false

    /// The entity set with its type.
    public var set: EntitySet { shape.set }

    init(_ shape: Shape, values: [Value?], isNew: Bool) {
        self.shape = shape
        self.values = values
        self.isNew = isNew
    }

    /// A new row with the defaults of its properties and some values.
    ///
    /// - Parameters:
    ///   - set: the set of a store's model.
    ///   - values: any of the properties, by name.
    /// - Throws: ``LocalStoreError``: `unknownProperty`, `invalidValue`, `invalidKey` for a key that the server makes,
    ///   `readOnly` for another value that it makes.
    public init(newIn set: EntitySet, _ values: [String: Value] = [:]) throws(LocalStoreError) {
        let defaults = set.type.properties.map { $0.defaultValue ?? .null }
        self.init(
            Shape(set),
            values: defaults + set.type.calculatedProperties.map { _ in .null },
            isNew: true
        )
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { try self.set(name, to: value) }
    }

    /// A row that was read: nothing of it is changed, and names that the set does not have are passed over.
    ///
    /// - Throws: ``LocalStoreError/Code/invalidValue`` for a value of another type.
    public init(loadedFrom values: [String: Value], in set: EntitySet) throws(LocalStoreError) {
        try self.init(loadedFrom: values, Shape(set))
    }

    init(loadedFrom values: [String: Value], _ shape: Shape) throws(LocalStoreError) {
        let type = shape.set.type
        self.init(
            shape,
            values: Array(repeating: nil, count: type.properties.count + type.calculatedProperties.count),
            isNew: false
        )
        for (name, value) in values {
            guard let place = shape.place(name) else { continue }
            self.values[place] = try fitting(value, place)
        }
    }

    // MARK: Reading

    /// The value of a property.
    ///
    /// - Throws: ``LocalStoreError``: `unknownProperty`, and `notLoaded` for one that was not read.
    public subscript(name: String) -> Value {
        get throws(LocalStoreError) { try value(at: place(name)) }
    }

    /// The value of a property, as ``subscript(_:)`` gives it: `try row.Total`.
    public subscript(dynamicMember name: String) -> Value {
        get throws(LocalStoreError) { try value(at: place(name)) }
    }

    /// Whether the set has a property of that name.
    public func hasProperty(_ name: String) -> Bool { shape.place(name) != nil }

    /// Whether the value of a property was read or set.
    public func isLoaded(_ name: String) throws(LocalStoreError) -> Bool { values[try place(name)] != nil }

    /// The key; a new row has null in it where the store is to make it.
    public var key: Key { Key(set.type.key.map { values[$0] ?? .null }) }

    func place(_ name: String) throws(LocalStoreError) -> Int {
        guard let place = shape.place(name) else {
            throw LocalStoreError(
                .unknownProperty,
                set: set.names.wire,
                properties: [name],
                message: "The entities of '\(set.names.wire)' have no property '\(name)'."
            )
        }
        return place
    }

    func value(at place: Int) throws(LocalStoreError) -> Value {
        guard let value = values[place] else {
            throw refused(.notLoaded, place, "was not read, so it has no value here")
        }
        return value
    }

    /// The wire name of the property, or of what is calculated, at a place.
    func name(of place: Int) -> String {
        let stored = set.type.properties
        return place < stored.count
            ? stored[place].names.wire : set.type.calculatedProperties[place - stored.count].names.wire
    }

    func type(of place: Int) -> PrimitiveType {
        let stored = set.type.properties
        return place < stored.count ? stored[place].type : set.type.calculatedProperties[place - stored.count].type
    }

    func refused(_ code: LocalStoreError.Code, _ place: Int, _ what: String) -> LocalStoreError {
        LocalStoreError(
            code,
            set: set.names.wire,
            properties: [name(of: place)],
            message: "'\(name(of: place))' of '\(set.names.wire)' \(what)."
        )
    }

    /// The value in the family of its property.
    func fitting(_ value: Value, _ place: Int) throws(LocalStoreError) -> Value {
        guard !value.isNull else { return .null }
        guard let fitting = value.promoted(to: type(of: place)) else {
            throw refused(.invalidValue, place, "is \(type(of: place).rawValue) and takes no value of another type")
        }
        return fitting
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A structural property of an entity type.
public struct Property: Hashable, Sendable {
    /// Where the value comes from when it is not given.
    public enum Generation: String, Hashable, Sendable {
        /// The client gives it, or the default applies.
        case none
        /// The database makes it at insert (an auto-increment key); a value that a client gives is ignored there.
        case onInsert = "on-insert"
        /// The database computes it at every change; it cannot be written.
        case always
    }

    public var names: Names
    public var type: PrimitiveType
    public var isNullable: Bool
    /// The longest string in Unicode characters, or the longest binary value in bytes.
    public var maxLength: Int?
    /// The digits of a decimal, or the digits of the seconds' fraction of a time.
    public var precision: Int?
    /// The digits after the point of a decimal; `nil` means variable.
    public var scale: Int?
    /// The value of an insert that gives none.
    public var defaultValue: Value? {
        get { rare?.value.defaultValue }
        set { change { $0.defaultValue = newValue } }
    }
    public var generation: Generation
    /// Whether the property lives on the device alone and never crosses the wire.
    public var isLocalOnly: Bool
    public var storage: StorageForm
    /// The wire name of the enumeration type whose members the values are.
    public var enumeration: String? {
        get { rare?.value.enumeration }
        set { change { $0.enumeration = newValue } }
    }
    /// What the column's JSON text holds, for a structured property; the type is then `Edm.String`.
    public var structure: Structure? {
        get { rare?.value.structure }
        set { change { $0.structure = newValue } }
    }
    /// The table of a collection's items, where they stand in no column of the entity's own row.
    public var items: ItemTable? {
        get { rare?.value.items }
        set { change { $0.items = newValue } }
    }
    /// The place in ``EntityType/complexProperties`` of the complex property that the column is a part of.
    public var container: Int?
    /// The wire name of the derived type that declares the property, or `nil` for the entity type itself.
    public var declaringType: String? {
        get { rare?.value.declaringType }
        set { change { $0.declaringType = newValue } }
    }
    /// What makes a binary property a stream, which no answer holds in line.
    public var stream: MediaStream? {
        get { rare?.value.stream }
        set { change { $0.stream = newValue } }
    }
    /// Whether the value can be given at insert and not be changed later.
    public var isImmutable = false
    /// Whether clients cannot write the value, though the database does not compute it.
    public var isReadOnly = false
    /// The spatial reference of a geography or geometry value; `nil` is 4326 and 0.
    public var srid: Int?
    /// The properties that hold the position of a point as numbers, see ``Coordinates``.
    public var coordinates: Coordinates? {
        get { rare?.value.coordinates }
        set { change { $0.coordinates = newValue } }
    }
    /// The pattern that a text has to match.
    public var pattern: String? {
        get { rare?.value.pattern }
        set { change { $0.pattern = newValue } }
    }
    /// The least value.
    public var minimum: Value? {
        get { rare?.value.minimum }
        set { change { $0.minimum = newValue } }
    }
    /// The greatest value.
    public var maximum: Value? {
        get { rare?.value.maximum }
        set { change { $0.maximum = newValue } }
    }
    /// The only values that there may be; empty for no such limit.
    public var allowedValues: [Value] {
        get { rare?.value.allowedValues ?? [] }
        set { change { $0.allowedValues = newValue } }
    }
    /// Whether a device records and sends changes of the value; where not, what is set there stays there until the server
    /// sends another value.
    public var isTracked = true
    /// The names on the wire that it had in older models, for migrations.
    public var formerNames: [String] {
        get { rare?.value.formerNames ?? [] }
        set { change { $0.formerNames = newValue } }
    }
    /// What a number counts.
    public var measure: Measure? {
        get { rare?.value.measure }
        set { change { $0.measure = newValue } }
    }
    /// What becomes of values that a device and the server both changed; `nil` leaves it to the entity type.
    public var conflictPolicy: ConflictPolicy? {
        get { rare?.value.conflictPolicy }
        set { change { $0.conflictPolicy = newValue } }
    }
    public var description: String? {
        get { rare?.value.description }
        set { change { $0.description = newValue } }
    }

    private var rare: Shared<Rare>?

    /// Whether a device records changes of the value, to send them.
    public var isRecorded: Bool { isTracked && !isLocalOnly }

    /// Whether a client may give the value at insert.
    public var isWritable: Bool { !isReadOnly && generation != .always }

    /// A property; what is not given here is set afterwards.
    public init(
        names: Names,
        type: PrimitiveType,
        isNullable: Bool = true,
        maxLength: Int? = nil,
        precision: Int? = nil,
        scale: Int? = nil,
        defaultValue: Value? = nil,
        generation: Generation = .none,
        isLocalOnly: Bool = false,
        storage: StorageForm = .native
    ) {
        self.names = names
        self.type = type
        self.isNullable = isNullable
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
        self.generation = generation
        self.isLocalOnly = isLocalOnly
        self.storage = storage
        if let defaultValue { self.defaultValue = defaultValue }
    }
}

extension Property {
    /// What most properties have not: behind a reference, because properties are copied wherever a column is looked at.
    private struct Rare: Hashable, Sendable {
        var defaultValue: Value?
        var enumeration: String?
        var structure: Structure?
        var items: ItemTable?
        var declaringType: String?
        var stream: MediaStream?
        var coordinates: Coordinates?
        var pattern: String?
        var minimum: Value?
        var maximum: Value?
        var allowedValues: [Value] = []
        var formerNames: [String] = []
        var measure: Measure?
        var conflictPolicy: ConflictPolicy?
        var description: String?

        static let none = Rare()
    }

    /// Changes what is rare; where nothing of it is left, the property is equal to one that never had any.
    private mutating func change(_ body: (inout Rare) -> Void) {
        var changed = rare?.value ?? Rare()
        body(&changed)
        rare = changed == .none ? nil : Shared(changed)
    }
}

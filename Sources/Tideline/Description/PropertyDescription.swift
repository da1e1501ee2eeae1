// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What the source of an `@Entity` says of one property.
public struct PropertyDescription: Sendable {
    /// The property of the entity type.
    public let property: Property
    public let isKey: Bool
    public let isUnique: Bool
    /// The reference whose foreign key this property is, or `nil`.
    public let reference: ReferenceDescription?

    /// - Parameters:
    ///   - code: the name in Swift.
    ///   - wire: the name on the wire.
    ///   - type: the Swift type, optional where the property may be null.
    ///   - isKey: whether the property is part of the key.
    ///   - isGenerated: whether the server makes the value at insert.
    ///   - isUnique: whether no two entities have the same value.
    ///   - isLocalOnly: whether the property stays on the device.
    ///   - maxLength: the longest string in characters, or the longest binary value in bytes.
    ///   - precision: the digits of a decimal or of a fraction of a second.
    ///   - scale: the digits after the point of a decimal.
    ///   - defaultValue: the value of an insert that gives none.
    ///   - reference: the reference whose foreign key the property is.
    ///   - minimum: the least value.
    ///   - maximum: the greatest value.
    ///   - pattern: the regular expression that a string matches; it is a mistake of the source when it is none.
    ///   - allowedValues: the only values that there may be; those of an enumeration are its cases unless given.
    ///   - isReadOnly: whether clients cannot write the value.
    ///   - isImmutable: whether the value is given at the insert and not changed later.
    ///   - isComputed: whether the server computes the value at every change.
    ///   - isTracked: whether changes are recorded and sent.
    ///   - formerNames: the names on the wire from older versions.
    ///   - conflictPolicy: what becomes of values that a device and the server both changed; it is a mistake of the source
    ///     when it cannot decide over the type.
    public init<Content: PropertyValue>(
        code: String,
        wire: String,
        _ type: Content.Type,
        isKey: Bool = false,
        isGenerated: Bool = false,
        isUnique: Bool = false,
        isLocalOnly: Bool = false,
        maxLength: Int? = nil,
        precision: Int? = nil,
        scale: Int? = nil,
        defaultValue: Content? = nil,
        reference: ReferenceDescription? = nil,
        minimum: (any PropertyValue)? = nil,
        maximum: (any PropertyValue)? = nil,
        pattern: String? = nil,
        allowedValues: [any PropertyValue] = [],
        isReadOnly: Bool = false,
        isImmutable: Bool = false,
        isComputed: Bool = false,
        isTracked: Bool = true,
        formerNames: [String] = [],
        conflictPolicy: ConflictPolicy? = nil
    ) {
        var property = Property(
            names: Names(wire: wire, code: code),
            type: type.edmType,
            isNullable: type.isNullable,
            maxLength: maxLength,
            precision: precision,
            scale: scale,
            defaultValue: defaultValue?.edmValue,
            generation: isComputed ? .always : isGenerated ? .onInsert : .none,
            isLocalOnly: isLocalOnly
        )
        property.minimum = minimum?.edmValue
        property.maximum = maximum?.edmValue
        if let pattern {
            precondition((try? Pattern(pattern)) != nil, "The pattern of \(code) cannot be read: \(pattern)")
            property.pattern = pattern
        }
        property.allowedValues = allowedValues.isEmpty ? type.allowedValues : allowedValues.map(\.edmValue)
        property.isReadOnly = isReadOnly
        property.isImmutable = isImmutable
        property.isTracked = isTracked
        property.formerNames = formerNames
        if let mismatch = conflictPolicy?.mismatch(with: property) {
            preconditionFailure("The conflict policy of \(code) \(mismatch).")
        }
        property.conflictPolicy = conflictPolicy
        self.property = property
        self.isKey = isKey
        self.isUnique = isUnique
        self.reference = reference
    }
}

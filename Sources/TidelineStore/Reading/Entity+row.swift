// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Entity {
    /// The entity of a row: a cast to a Swift type, by the names of its properties on the wire.
    ///
    /// A key that the server makes is 0 in a row that was never saved.
    /// - Throws: ``LocalStoreError``: `unknownProperty` and `notLoaded` for a property that the row lacks, `nullValue` and
    ///   `invalidValue` for a value that the type cannot hold.
    public init(_ row: Row) throws {
        let type = Self.entitySet.type
        let packed = PackedColumns(type.properties.count)
        for (place, property) in type.properties.enumerated() {
            let found = try row.place(property.names.wire)
            var value = try row.value(at: found)
            if value.isNull, type.isCounted(place) { value = .integer(0) }
            if value.isNull, !property.isNullable {
                throw row.refused(.nullValue, found, "is null, which \(Self.self) cannot hold")
            }
            guard value.isNull || value.promoted(to: property.type) != nil else {
                throw row.refused(.invalidValue, found, "is not \(property.type.rawValue), as \(Self.self) has it")
            }
            packed.append(
                value.promoted(to: property.type) ?? .null,
                DeviceColumn(property, place: place, isKey: false)
            )
        }
        for calculated in type.calculatedProperties where row.hasProperty(calculated.names.wire) {
            let place = try row.place(calculated.names.wire)
            let property = Property(names: calculated.names, type: calculated.type)
            packed.append(
                (row.values[place] ?? .null).promoted(to: calculated.type) ?? .null,
                DeviceColumn(property, place: packed.columns.count, isKey: false)
            )
        }
        var cursor = RowCursor(packed)
        try self.init(row: &cursor)
    }
}

extension Row {
    /// The value of a property as a Swift type: `try row.value("Total", as: EdmDecimal?.self)`.
    ///
    /// - Throws: ``LocalStoreError``: `unknownProperty`, `notLoaded`, `nullValue` and `invalidValue` for a value that the
    ///   type cannot hold.
    public func value<Content: EntityValue>(_ name: String, as type: Content.Type) throws -> Content {
        let place = try place(name)
        let value = try value(at: place)
        if value.isNull, !type.isNullable { throw refused(.nullValue, place, "is null, which \(type) cannot hold") }
        guard value.isNull || value.promoted(to: type.edmType) != nil else {
            throw refused(.invalidValue, place, "is \(self.type(of: place).rawValue) and cannot be read as \(type)")
        }
        let packed = PackedColumns(1)
        packed.append(
            value.promoted(to: type.edmType) ?? .null,
            DeviceColumn(Property(names: Names(wire: name), type: type.edmType), place: 0, isKey: false)
        )
        var cursor = RowCursor(packed)
        return try type.read(from: &cursor)
    }
}

/// The values of one row in memory, as a cursor reads them.
final class PackedColumns {
    private let buffer = PackedBuffer(capacity: 256)
    private var offsets: [Int] = []
    private(set) var columns: [DeviceColumn] = []

    init(_ count: Int) {
        offsets.reserveCapacity(count)
        columns.reserveCapacity(count)
    }

    func append(_ value: Value, _ column: DeviceColumn) {
        offsets.append(buffer.count)
        columns.append(column)
        column.append(value, to: buffer)
    }

    /// The value at a place; its bytes stay as long as this object.
    func value(_ place: Int) -> PackedValue {
        guard offsets.indices.contains(place) else { return .null }
        var reader = buffer.reader(from: offsets[place])
        return reader.next()
    }
}

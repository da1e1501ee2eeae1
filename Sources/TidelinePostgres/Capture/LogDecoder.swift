// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Turns keys and before-images of the log into values of an entity type.
struct LogDecoder {
    private let set: EntitySet
    private let key: [(place: Int, property: Property)]
    /// For each property its place in the before-image, or `nil` when it is not among the captured columns.
    private let places: [Int?]
    /// For each property its enumeration, where the column holds the names of members.
    private let enumerations: [EnumerationType?]

    init(set: EntitySet, table: CapturedTable, model: EntityModel) throws {
        self.set = set
        var positions: [String: Int] = [:]
        for (position, column) in table.key.enumerated() { positions[column] = position }
        key = try set.type.key.map { place in
            let property = set.type.properties[place]
            guard let position = positions[property.names.database], table.key.count == set.type.key.count else {
                throw StorageError(
                    .schemaChanged,
                    set: set.names.wire,
                    message: "The key of \(set.names.wire) is not the one that its changes are captured with."
                )
            }
            return (position, property)
        }
        var columns: [String: Int] = [:]
        for (position, column) in table.columns.enumerated() { columns[column] = position }
        places = set.type.properties.map { $0.items == nil ? columns[$0.names.database] : nil }
        enumerations = set.type.properties.map { property in
            property.storage == .memberName ? property.enumeration.flatMap { model[enumeration: $0] } : nil
        }
    }

    func key(_ text: String) throws -> Key {
        let values = try LoggedValue.list(text)
        return Key(
            try zip(key, set.type.key).map { part, property in
                guard part.place < values.count, let value = decoded(values[part.place], property) else {
                    throw StorageError(
                        .unreadableValue,
                        set: set.names.wire,
                        properties: [part.property.names.wire],
                        message: "The change log names a key whose \(part.property.names.wire) is no "
                            + "\(part.property.type.rawValue)."
                    )
                }
                return value
            }
        )
    }

    /// A value that was not kept, or does not fit the property, is `nil`.
    func image(_ text: String) throws -> [Value?] {
        let values = try LoggedValue.list(text)
        return places.enumerated().map { property, place in
            guard let place, place < values.count else { return nil }
            return decoded(values[place], property)
        }
    }

    private func decoded(_ value: LoggedValue, _ place: Int) -> Value? {
        let property = set.type.properties[place]
        switch value {
        case .null: return .null
        case .omitted: return nil
        case .boolean(let value): return property.type == .boolean ? .boolean(value) : nil
        case .number(let text):
            guard let number = Int64(text) else { return nil }
            return property.value(of: .integer(number))
        case .text(let text):
            if let enumeration = enumerations[place] { return enumeration.value(of: text).map(Value.integer) }
            return decoded(text, property)
        }
    }

    private func decoded(_ text: String, _ property: Property) -> Value? {
        switch property.type {
        case .double, .single:
            guard text.hasPrefix("x"), let bits = UInt64(text.dropFirst(), radix: 16) else { return nil }
            return .double(Double(bitPattern: bits))
        case .binary: return text.hasPrefix("x") ? .binary(Capture.bytes(String(text.dropFirst()))) : nil
        case .duration:
            guard let seconds = EdmDecimal(text), let nanoseconds = seconds.coefficient(atScale: 9),
                let whole = Int64(exactly: nanoseconds / 1_000_000_000)
            else { return property.value(of: .text(text)) }
            return .duration(
                Duration(
                    secondsComponent: whole,
                    attosecondsComponent: Int64(nanoseconds % 1_000_000_000) * 1_000_000_000
                )
            )
        default: return property.value(of: .text(text))
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Turns keys and before-images of the log into values of an entity type.
struct LogDecoder {
    private let set: EntitySet
    private let places: LoggedPlaces
    /// For each property its enumeration, where the column holds the names of members.
    private let enumerations: [EnumerationType?]

    init(set: EntitySet, table: CapturedTable, model: EntityModel) throws {
        self.set = set
        places = try LoggedPlaces(set: set, key: table.key, columns: table.columns)
        enumerations = set.type.properties.map { property in
            property.storage == .memberName ? property.enumeration.flatMap { model[enumeration: $0] } : nil
        }
    }

    /// The key of an entry; `nil` where it is none of the entity type's.
    func key(_ text: String) throws -> Key? { places.key(try LoggedValue.list(text), decoded) }

    /// A value that was not kept, or does not fit the property, is `nil`.
    func image(_ text: String) throws -> [Value?] { places.image(try LoggedValue.list(text), decoded) }

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

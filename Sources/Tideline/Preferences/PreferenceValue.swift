// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A value of a preference; arrays and dictionaries hold values again.
///
/// In JSON it stands as what it is. What JSON cannot tell apart has a mark: `{"$date": "2026-07-01T12:00:00Z"}`,
/// `{"$data": "AAEC"}` (Base64 for URLs), and `{"$double": 5}` for a whole number that is no integer.
public enum PreferenceValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case date(DateTimeOffset)
    case data([UInt8])
    case array([PreferenceValue])
    case dictionary([String: PreferenceValue])

    /// The value as a person reads it.
    public var text: String {
        switch self {
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .double(let number): Value.double(number).text ?? ""
        case .string(let text): text
        case .date(let date): date.text
        case .data(let bytes): Value.binary(bytes).text ?? ""
        case .array(let values): values.map(\.text).joined(separator: ", ")
        case .dictionary(let values):
            values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ")
        }
    }
}

extension PreferenceValue: Codable {
    private struct Mark: CodingKey {
        static let date = Mark(stringValue: "$date")
        static let data = Mark(stringValue: "$data")
        static let double = Mark(stringValue: "$double")
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    public init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let flag = try? single.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? single.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? single.decode(Double.self) {
            self = .double(number)
        } else if let text = try? single.decode(String.self) {
            self = .string(text)
        } else if let values = try? single.decode([PreferenceValue].self) {
            self = .array(values)
        } else if let marked = try PreferenceValue.marked(decoder) {
            self = marked
        } else {
            self = .dictionary(try single.decode([String: PreferenceValue].self))
        }
    }

    private static func marked(_ decoder: any Decoder) throws -> PreferenceValue? {
        guard let members = try? decoder.container(keyedBy: Mark.self), members.allKeys.count == 1 else { return nil }
        func refused(_ mark: Mark) -> DecodingError {
            .dataCorruptedError(forKey: mark, in: members, debugDescription: "No value of \(mark.stringValue).")
        }
        if members.contains(.date) {
            let text = try members.decode(String.self, forKey: .date)
            guard case .dateTimeOffset(let date)? = Value(text: text, as: .dateTimeOffset) else {
                throw refused(.date)
            }
            return .date(date)
        }
        if members.contains(.data) {
            let text = try members.decode(String.self, forKey: .data)
            guard case .binary(let bytes)? = Value(text: text, as: .binary) else { throw refused(.data) }
            return .data(bytes)
        }
        return members.contains(.double) ? .double(try members.decode(Double.self, forKey: .double)) : nil
    }

    public func encode(to encoder: any Encoder) throws {
        func mark(_ mark: Mark, _ value: some Encodable) throws {
            var members = encoder.container(keyedBy: Mark.self)
            try members.encode(value, forKey: mark)
        }
        func single(_ value: some Encodable) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
        switch self {
        case .boolean(let flag): try single(flag)
        case .integer(let number): try single(number)
        case .double(let number):
            if number == number.rounded() { try mark(.double, number) } else { try single(number) }
        case .string(let text): try single(text)
        case .date(let date): try mark(.date, date.text)
        case .data(let bytes): try mark(.data, Value.binary(bytes).text)
        case .array(let values): try single(values)
        case .dictionary(let values): try single(values)
        }
    }
}

extension PreferenceValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
}

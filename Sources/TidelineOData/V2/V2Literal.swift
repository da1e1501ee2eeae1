// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Literals and texts of values in the forms of v2 and of v4.
enum V2Literal {
    // MARK: v4 to v2

    /// A value as a v2 URL writes it.
    static func text(_ value: Value, _ property: Property) -> String {
        let text = value.text ?? ""
        return switch value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .integer: property.type == .int64 ? "\(text)L" : text
        case .decimal: "\(text)M"
        case .double: "\(text)d"
        case .guid: "guid'\(text)'"
        case .date: "datetime'\(text)T00:00:00'"
        case .dateTimeOffset: "datetimeoffset'\(text)'"
        case .timeOfDay: "time'\(duration(text))'"
        case .binary(let bytes): "binary'\(hex(bytes))'"
        default: text.quoted(by: "'")
        }
    }

    static func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(bytes).uppercased() }

    /// `13:20:00` as `PT13H20M0S`.
    static func duration(_ time: String) -> String {
        let parts = time.split(separator: ":")
        guard parts.count >= 2 else { return time }
        let number = { (part: Substring) in Int(part).map { "\($0)" } ?? String(part) }
        var seconds = parts.count > 2 ? String(parts[2]) : "0"
        if seconds.count > 1, seconds.hasPrefix("0") { seconds.removeFirst() }
        return "PT\(number(parts[0]))H\(number(parts[1]))M\(seconds)S"
    }

    /// A moment as JSON of v2 has it: milliseconds after 1970.
    static func date(_ text: String, type: PrimitiveType) -> String {
        if type == .date, case .date(let date)? = Value(text: text, as: .date) {
            return "/Date(\(Int64(date.daysSinceEpoch) * 86_400_000))/"
        }
        guard case .dateTimeOffset(let moment)? = Value(text: text, as: .dateTimeOffset) else { return text }
        return "/Date(\(moment.seconds * 1_000 + Int64(moment.nanoseconds) / 1_000_000)+0000)/"
    }

    static func base64(_ text: String) -> String {
        var result = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        while result.count % 4 != 0 { result.append("=") }
        return String(result)
    }

    // MARK: v2 to v4

    static func base64URL(_ text: String) -> String {
        String(text.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" || $0.isWhitespace ? nil : $0 })
    }

    /// The bytes of hexadecimal digits as base64url.
    static func binary(hex text: String) -> String? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return Value.binary(bytes).text
    }

    /// `PT13H20M` as `13:20:00`.
    static func time(_ text: String) -> String? {
        guard text.hasPrefix("PT") else { return text }
        var numbers: [Character: String] = [:]
        var digits = ""
        for character in text.dropFirst(2) {
            if character.isNumber || character == "." {
                digits.append(character)
            } else {
                numbers[character] = digits
                digits = ""
            }
        }
        func two(_ unit: Character) -> String {
            let text = numbers[unit] ?? "0"
            return text.prefix { $0 != "." }.count < 2 ? "0\(text)" : text
        }
        return "\(two("H")):\(two("M")):\(two("S"))"
    }

    /// A moment as v2 writes it in text or JSON, for a property of that type.
    static func moment(_ text: String, type: PrimitiveType) -> String {
        var moment = text
        if text.hasPrefix("/Date("), text.hasSuffix(")/") {
            let inner = text.dropFirst(6).dropLast(2)
            let digits = inner.prefix { $0 == "-" || $0.isNumber }
            guard let milliseconds = Int64(digits) else { return text }
            let seconds = milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000
            let rest = milliseconds - seconds * 1_000
            moment =
                Value.dateTimeOffset(DateTimeOffset(seconds: seconds, nanoseconds: Int32(rest) * 1_000_000)).text
                ?? text
        }
        if type == .date { return String(moment.prefix { $0 != "T" }) }
        guard let mark = moment.firstIndex(of: "T") else { return moment }
        var time = moment[moment.index(after: mark)...]
        let hasZone = time.contains { "Z+-".contains($0) }
        // v2 allows no seconds: 2008-10-13T00:00.
        if time.filter({ $0 == ":" }).count == 1, !hasZone { time += ":00" }
        return "\(moment[..<mark])T\(time)\(hasZone ? "" : "Z")"
    }
}

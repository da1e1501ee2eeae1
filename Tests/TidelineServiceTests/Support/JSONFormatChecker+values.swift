// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

@testable import TidelineOData

/// Values by their types: OData JSON Format 4.01, section 7, and section 3.2 for numbers.
extension JSONFormatChecker {
    /// `{"value": …}` with its context, and nothing else.
    mutating func value(_ members: [(String, JSONTree)], _ property: Property) {
        let control = metadata == .none ? [] : [version == .v40 ? "@odata.context" : "@context"]
        let type = version == .v40 ? "value@odata.type" : "value@type"
        let names = members.map(\.0).filter { metadata != .full || $0 != type }
        if names != control + ["value"] { wrong("a value with the members \(names)") }
        guard let value = members.first(where: { $0.0 == "value" })?.1 else { return wrong("there is no value") }
        check(value, property)
    }

    mutating func check(_ value: JSONTree, _ property: Property) {
        let name = property.names.wire
        if case .null = value {
            if case .collection? = property.structure { wrong("the collection \(name) is null") }
            if !property.isNullable { wrong("\(name) is null") }
            return
        }
        switch property.structure {
        case .collection(let element, let itemsNullable)?:
            guard case .list(let items) = value else { return wrong("\(name) is no array") }
            for item in items {
                if case .null = item {
                    if !itemsNullable { wrong("\(name) has a null") }
                    continue
                }
                switch element {
                case .complex(let type): complex(item, type, at: name)
                case .enumeration(let type): member(item, type, name)
                case .primitive(let type): primitive(item, type, name)
                }
            }
        case .complex(let type)?: complex(value, type, at: name)
        case .dynamic?: wrong("the bag \(name) stands in the row")
        case nil:
            if let type = property.enumeration { return member(value, type, name) }
            primitive(value, property.type, name)
        }
    }

    /// The names of members, with commas where there are several.
    private mutating func member(_ value: JSONTree, _ type: String, _ name: String) {
        let known = Set(model.enumerations.first { $0.names.wire == type }?.members.map(\.name) ?? [])
        let names = value.text?.split(separator: ",").map(String.init) ?? []
        if names.isEmpty || !known.isSuperset(of: names) { wrong("\(name) is \(value.scalar ?? "-")") }
    }

    mutating func complex(_ value: JSONTree, _ type: String, at name: String) {
        if case .null = value { return }
        guard case .object(let members) = value else { return wrong("\(name) is no object") }
        let declared = model.complexTypes.first { $0.names.wire == type }?.properties ?? []
        let control = version == .v40 ? "@odata.type" : "@type"
        for (text, value) in members {
            if text == control, metadata == .full { continue }
            guard let property = declared.first(where: { $0.names.wire == text }) else {
                if metadata == .full, text.contains("type") { continue }
                wrong("\(name) has no \(text)")
                continue
            }
            check(value, property)
        }
    }

    private mutating func primitive(_ value: JSONTree, _ type: PrimitiveType, _ name: String) {
        let isFit: Bool
        switch type {
        case .boolean: if case .flag = value { isFit = true } else { isFit = false }
        case .byte, .sbyte, .int16, .int32:
            if case .integer(let number) = value {
                isFit = type.integerRange?.contains(Int64(number)) == true
            } else {
                isFit = false
            }
        case .int64:
            switch value {
            case .integer: isFit = !isIEEE754
            case .text(let text): isFit = isIEEE754 && Int64(text) != nil
            default: isFit = false
            }
        case .decimal:
            switch value {
            case .integer: isFit = !isIEEE754
            // 4.0 has no exponents but where ExponentialDecimals asks for them.
            case .number(let text): isFit = !isIEEE754 && (version == .v401 || !text.lowercased().contains("e"))
            case .text(let text):
                isFit = isIEEE754 && !text.isEmpty && text.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }
            default: isFit = false
            }
        case .double, .single:
            switch value {
            case .integer, .number: isFit = true
            case .text(let text): isFit = ["INF", "-INF", "NaN"].contains(text)
            default: isFit = false
            }
        case .string: isFit = value.text != nil
        case .date: isFit = Self.has(value, "0000-00-00")
        case .dateTimeOffset: isFit = Self.has(value, "0000-00-00T00:00:00") && Self.endsInOffset(value.text ?? "")
        case .timeOfDay: isFit = Self.has(value, "00:00:00")
        case .duration: isFit = value.text.map { $0.hasPrefix("P") || $0.hasPrefix("-P") } ?? false
        case .guid:
            let groups = value.text?.split(separator: "-").map(\.utf8.count)
            isFit = groups == [8, 4, 4, 4, 12] && value.text?.allSatisfy { $0 == "-" || $0.isHexDigit } == true
        case .binary:
            // base64url: no + and no /.
            isFit = value.text?.utf8.allSatisfy { "-_=".utf8.contains($0) || Self.isAlphanumeric($0) } ?? false
        default: isFit = value["type"]?.text != nil && (value["coordinates"] != nil || value["geometries"] != nil)
        }
        if !isFit { wrong("\(name), \(type.rawValue), is written \(value.scalar ?? "otherwise")") }
    }

    /// Whether a text begins in a form where 0 stands for a digit.
    private static func has(_ value: JSONTree, _ form: String) -> Bool {
        guard let text = value.text, text.utf8.count >= form.utf8.count else { return false }
        return zip(text.utf8, form.utf8).allSatisfy { byte, kind in
            kind == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == kind
        }
    }

    private static func endsInOffset(_ text: String) -> Bool {
        text.hasSuffix("Z") || text.suffix(6).first == "+" || text.suffix(6).first == "-"
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
}

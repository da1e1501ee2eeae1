// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The JSON schemas of primitive types, exact to the last value.
///
/// Source: OData JSON Format 4.01, section 7.1; JSON Schema 2020-12.
enum OpenAPIPrimitives {
    typealias Member = (String, JSONTree)

    static func nullable(_ members: [Member]) -> [Member] {
        guard let place = members.firstIndex(where: { $0.0 == "type" }) else {
            return [("anyOf", .list([.object(members), .object([("type", .text("null"))])]))]
        }
        var members = members
        members[place].1 = .list([members[place].1, .text("null")])
        return members
    }

    /// - Parameter isWritten: whether the value is sent by a client; what is answered may have forms that are not taken.
    static func schema(_ property: Property, type: PrimitiveType, isWritten: Bool) -> [Member] {
        var members = plain(property, type: type, isWritten: isWritten)
        // What is read may be older than the rule.
        let allowed = isWritten ? property.allowedValues.compactMap(\.text) : []
        let isNumber = type.integerRange != nil || [.decimal, .double, .single].contains(type)
        if !allowed.isEmpty, isNumber || type == .string {
            members.append(("enum", .list(allowed.compactMap { isNumber ? JSONTree.numeral($0) : .text($0) })))
        }
        return members
    }

    private static func plain(_ property: Property, type: PrimitiveType, isWritten: Bool) -> [Member] {
        switch type {
        case .boolean: return [("type", .text("boolean"))]
        case .byte, .sbyte, .int16, .int32, .int64: return integer(property, type)
        case .decimal: return decimal(property, isWritten: isWritten)
        case .double, .single: return floating(property, type)
        case .string: return string(property)
        case .binary: return binary(property)
        case .guid:
            let digits = "[0-9a-fA-F]"
            return text("^\(digits){8}-\(digits){4}-\(digits){4}-\(digits){4}-\(digits){12}$", format: "uuid")
        case .date: return text("^\(date)$")
        case .dateTimeOffset: return text("^\(date)T\(time)\(fraction(property))Z$")
        case .timeOfDay: return text("^\(time)\(fraction(property))$")
        case .duration: return text(duration(property))
        default: return [("type", .text("object"))] + (type.isPoint ? point : [])
        }
    }

    // MARK: Numbers

    private static func integer(_ property: Property, _ type: PrimitiveType) -> [Member] {
        let range = type.integerRange ?? Int64.min...Int64.max
        var low = range.lowerBound
        var high = range.upperBound
        if case .integer(let bound)? = property.minimum { low = max(low, bound) }
        if case .integer(let bound)? = property.maximum { high = min(high, bound) }
        let format: [Member] =
            type == .int32 || type == .int64 ? [("format", .text(type == .int32 ? "int32" : "int64"))] : []
        return [("type", .text("integer"))] + format + [
            ("minimum", .integer(Int(low))), ("maximum", .integer(Int(high))),
        ]
    }

    private static func decimal(_ property: Property, isWritten: Bool) -> [Member] {
        var members: [Member] = [("type", .text("number")), ("format", .text("decimal"))]
        if let precision = property.precision, let scale = property.scale, scale <= precision {
            // Decimal(5,2) holds 999.99 at most.
            let whole = String(repeating: "9", count: precision - scale)
            let part = String(repeating: "9", count: scale)
            let limit = (whole.isEmpty ? "0" : whole) + (part.isEmpty ? "" : ".\(part)")
            members += [
                ("minimum", bound(property.minimum) ?? .number("-\(limit)")),
                ("maximum", bound(property.maximum) ?? .number(limit)),
            ]
        } else {
            if let low = bound(property.minimum) { members.append(("minimum", low)) }
            if let high = bound(property.maximum) { members.append(("maximum", high)) }
        }
        if isWritten, let scale = property.scale {
            let unit = scale == 0 ? "1" : "0.\(String(repeating: "0", count: scale - 1))1"
            members.append(("multipleOf", .number(unit)))
        }
        return members
    }

    private static func floating(_ property: Property, _ type: PrimitiveType) -> [Member] {
        var number: [Member] = [("type", .text("number")), ("format", .text(type == .double ? "double" : "float"))]
        if let low = bound(property.minimum) { number.append(("minimum", low)) }
        if let high = bound(property.maximum) { number.append(("maximum", high)) }
        if type == .single {
            if property.minimum == nil { number.append(("minimum", .number("-3.4028234e38"))) }
            if property.maximum == nil { number.append(("maximum", .number("3.4028234e38"))) }
        }
        let words: [JSONTree] = [.text("INF"), .text("-INF"), .text("NaN")]
        return [("anyOf", .list([.object(number), .object([("type", .text("string")), ("enum", .list(words))])]))]
    }

    private static func bound(_ value: Value?) -> JSONTree? {
        value?.text.flatMap(JSONTree.numeral)
    }

    // MARK: Texts

    private static func text(_ pattern: String, format: String? = nil) -> [Member] {
        [("type", .text("string"))] + (format.map { [("format", .text($0))] } ?? []) + [("pattern", .text(pattern))]
    }

    private static func string(_ property: Property) -> [Member] {
        var members: [Member] = [("type", .text("string"))]
        if let length = property.maxLength { members.append(("maxLength", .integer(length))) }
        // U+0000 is refused in every text.
        members.append(("pattern", .text(property.pattern ?? #"^[^\u0000]*$"#)))
        return members
    }

    private static func binary(_ property: Property) -> [Member] {
        let digit = "[A-Za-z0-9_-]"
        var members = text("^(\(digit){4})*(\(digit)[AQgw]|\(digit){2}[AEIMQUYcgkosw048])?$")
        members.insert(("contentEncoding", .text("base64url")), at: 1)
        if let length = property.maxLength { members.append(("maxLength", .integer((length * 4 + 2) / 3))) }
        return members
    }

    // MARK: Times

    /// Every day of the years 1 to 9999, the 29th of February in leap years alone.
    private static let date: String = {
        let year = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
        let days =
            "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
        let four = "(0[48]|[2468][048]|[13579][26])"
        return "(\(year)-\(days)|([0-9]{2}\(four)|(0[48]|[2468][048]|[13579][26])00)-02-29)"
    }()

    private static let time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"

    private static func fraction(_ property: Property) -> String {
        let digits = min(property.precision ?? 9, 9)
        return digits == 0 ? "" : #"(\.[0-9]{1,\#(digits)})?"#
    }

    private static func duration(_ property: Property) -> String {
        let seconds = "[0-9]{1,4}\(fraction(property))S"
        let time = "T([0-9]{1,4}H([0-9]{1,4}M)?(\(seconds))?|[0-9]{1,4}M(\(seconds))?|\(seconds))"
        return "^-?P([0-9]{1,5}D(\(time))?|\(time))$"
    }

    // MARK: Shapes

    private static let point: [Member] = [
        ("required", .list([.text("type"), .text("coordinates")])),
        (
            "properties",
            .object([
                ("type", .object([("const", .text("Point"))])),
                (
                    "coordinates",
                    .object([
                        ("type", .text("array")), ("minItems", .integer(2)), ("maxItems", .integer(2)),
                        (
                            "items",
                            .object([
                                ("type", .text("number")), ("minimum", .integer(-90)), ("maximum", .integer(90)),
                            ])
                        ),
                    ])
                ),
            ])
        ),
    ]
}

extension PrimitiveType {
    /// Whether values are single positions.
    fileprivate var isPoint: Bool { self == .geographyPoint || self == .geometryPoint }
}

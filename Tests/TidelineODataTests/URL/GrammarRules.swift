// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

@testable import TidelineOData

/// Leads each start rule of the grammar to the reader that the service uses for it.
struct GrammarRules {
    let names: NameTable

    /// Reads an input by a rule; `nil` for a rule that leads nowhere.
    func read(_ rule: String, _ input: String) throws(ODataError) -> Bool {
        switch rule.lowercased() {
        case "odatauri": _ = try RequestURL(parsing: input, names: names)
        case "odatarelativeuri": _ = try target(input)
        case "resourcepath": _ = try ResourcePath(parsing: input[...], names: names)
        case "queryoptions": _ = try QueryOptions(try QueryString(input[...]), names: names, takesRepeated: true)
        case "filter", "orderby", "expand", "select", "compute", "search", "skiptoken", "deltatoken",
            "systemqueryoption", "customqueryoption":
            try option(input)
        case "searchexpr":
            var reader = try reader(input)
            _ = try reader.search()
            try reader.expectEnd()
        case "commonexpr", "boolcommonexpr", "firstmemberexpr", "propertypathexpr", "isofexpr", "notexpr":
            var reader = try reader(input)
            _ = try reader.expression()
            try reader.expectEnd()
        case "anyexpr":
            var reader = try reader("X/" + input)
            _ = try reader.expression()
            try reader.expectEnd()
        case "functionparameter":
            var reader = try reader("(" + input + ")")
            _ = try reader.arguments()
            try reader.expectEnd()
        case "stringinurl":
            var reader = try reader("[" + input + "]")
            _ = try reader.array()
            try reader.expectEnd()
        case "entitysetname", "odataidentifier":
            var reader = try reader(input)
            guard reader.text.word() != nil else { throw reader.text.error("This is no name.") }
            try reader.expectEnd()
        case "context":
            guard input.hasPrefix("#") else { throw ODataError(.invalidURL, "A fragment begins with #.") }
            _ = try ContextFragment(parsing: input.dropFirst(), names: names, base: 1)
        case "header": _ = try HeaderLine(parsing: input)
        case "prefer": _ = try HeaderLine(parsing: input)
        case "preference", "includeannotationspreference", "maxpagesizepreference":
            _ = try Preference.list(parsing: input)
        case "request-id": _ = try HeaderLine(parsing: "Content-ID: " + input)
        default: return try value(rule, input)
        }
        return true
    }

    private func reader(_ input: String) throws(ODataError) -> ExpressionReader {
        ExpressionReader(try DecodedText(encoded: input[...]), code: .invalidFilter, names: names)
    }

    private func target(_ input: String) throws(ODataError) -> RequestTarget {
        try RequestTarget(parsing: input[...], names: names, base: 0, takesRepeated: true)
    }

    /// One option alone: nothing follows it, and its name is none of our own making.
    private func option(_ input: String) throws(ODataError) {
        let query = try QueryString(input[...])
        guard query.parameters.count == 1, query.aliasTexts.isEmpty else {
            throw ODataError(.invalidQueryOption, "One option was expected.")
        }
        _ = try QueryOptions(query, names: names)
    }

    // MARK: Literals and values

    private static let types: [String: PrimitiveType] = [
        "binary": .binary, "boolean": .boolean, "date": .date, "datetimeoffset": .dateTimeOffset,
        "decimal": .decimal, "double": .double, "single": .single, "duration": .duration, "guid": .guid, "byte": .byte,
        "sbyte": .sbyte, "int16": .int16, "int32": .int32, "int64": .int64, "string": .string, "timeofday": .timeOfDay,
    ]

    private func value(_ rule: String, _ input: String) throws(ODataError) -> Bool {
        let rule = rule.lowercased()
        if rule == "enumliteral" || rule == "primitiveliteral" || rule.hasPrefix("geography")
            || rule.hasPrefix("geometry") || rule == "null"
        {
            return try literal(input) { _ in true }
        }
        if rule == "primitivevalue" { return try primitiveValue(input) }
        if rule == "enumvalue" {
            guard EnumerationText.members(input) != nil else { throw ODataError(.invalidValue, "No members.") }
            return true
        }
        for suffix in ["valueinurl", "value"] where rule.hasSuffix(suffix) {
            guard let type = Self.types[String(rule.dropLast(suffix.count))] else { return false }
            if suffix == "valueinurl" { return try literal(input) { _ in true } }
            guard read(input, as: type) else { throw ODataError(.invalidValue, "This is no \(type.rawValue).") }
            return true
        }
        let name = rule.hasSuffix("literal") ? String(rule.dropLast("literal".count)) : rule
        guard let type = Self.types[name] else { return false }
        return try literal(input) { value in
            // Text in quotes becomes what the property is; numbers are narrowed in the same way.
            LiteralCast.cast(value, to: type) != nil || type == .sbyte
        }
    }

    /// A decimal can have no INF, and no exponent of three digits: such text is read as a floating-point number.
    private func read(_ input: String, as type: PrimitiveType) -> Bool {
        Value(text: input, as: type) != nil || type == .decimal && Value(text: input, as: .double) != nil
    }

    private func primitiveValue(_ input: String) throws(ODataError) -> Bool {
        let types = PrimitiveType.allCases.filter { $0 != .string }
        guard
            types.contains(where: { Value(text: input, as: $0) != nil }) || Geography(input) != nil
                || EnumerationText.members(input) != nil
        else { throw ODataError(.invalidValue, "This is no value.") }
        return true
    }

    private func literal(_ input: String, _ isWanted: (Value) -> Bool) throws(ODataError) -> Bool {
        var reader = try reader(input)
        let expression = try reader.primary()
        try reader.expectEnd()
        switch expression.expression {
        case .literal(let value) where isWanted(value): return true
        case .enumeration: return true
        default: throw ODataError(.invalidFilter, "This is no such literal.", at: 0)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Which format an answer is to have, from `$format` or `Accept`.
///
/// Source: OData Protocol 4.01, sections 8.2.1 and 11.2.11; OData JSON Format 4.01, section 3; RFC 9110,
/// section 12.5.1.
public enum MediaTypes {
    /// What `$metadata` can be written in.
    public enum MetadataFormat: Hashable, Sendable {
        case xml, json
    }

    /// One entry of `Accept`, with its parameters in lower case.
    struct Range {
        var type: String
        var parameters: [(name: String, value: String)]
        var quality: Double

        /// How exact it is: `*/*`, `application/*`, `application/json`, with parameters.
        var specificity: Int {
            type == "*/*" ? 0 : type.hasSuffix("/*") ? 1 : 2 + parameters.count
        }
    }

    /// The JSON that data is answered in.
    ///
    /// - Throws: `NotAcceptable` when neither `$format` nor `Accept` allows JSON; `InvalidQueryOption` for a `$format`
    ///   that is no media type.
    public static func json(
        format: String?,
        fields: HTTPFields,
        version: ODataVersion
    ) throws(ODataError) -> JSONFormat {
        guard acceptsUTF8(fields) else {
            throw ODataError(.notAcceptable, "Data is answered in UTF-8.", target: "Accept-Charset")
        }
        guard
            let range = try best(
                format,
                fields,
                accepts: {
                    ["application/json", "application/*", "*/*"].contains($0.type)
                        && Self.format($0.parameters, version) != nil
                }
            ), let result = Self.format(range.parameters, version)
        else {
            throw ODataError(
                .notAcceptable,
                "Data is answered as application/json, with metadata none, minimal or full.",
                target: format == nil ? "Accept" : "$format"
            )
        }
        return result
    }

    /// The JSON that parameters ask for; `nil` for a parameter that is unknown, which must not be passed over.
    ///
    /// Source: OData Protocol 4.01, section 8.2.1; OData JSON Format 4.01, section 3.
    private static func format(_ parameters: [(name: String, value: String)], _ version: ODataVersion) -> JSONFormat? {
        var result = JSONFormat(version: version)
        for (name, value) in parameters {
            switch name {
            case "odata.metadata", "metadata":
                guard let level = JSONFormat.Metadata(rawValue: value) else { return nil }
                result.metadata = level
            case "odata.streaming", "streaming":
                guard value == "true" || value == "false" else { return nil }
                result.isStreaming = value == "true"
            case "ieee754compatible":
                guard value == "true" || value == "false" else { return nil }
                result.ieee754Compatible = value == "true"
            case "exponentialdecimals":
                guard value == "true" || value == "false" else { return nil }
                result.exponentialDecimals = value == "true"
            case "charset":
                guard value == "utf-8" else { return nil }
                result.namesCharset = true
            default: return nil
            }
        }
        return result
    }

    private static func acceptsUTF8(_ fields: HTTPFields) -> Bool {
        guard let text = fields[.acceptCharset] else { return true }
        return text.split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return (parts.first == "utf-8" || parts.first == "*") && !parts.dropFirst().contains("q=0")
        }
    }

    /// What `$metadata` is answered in: XML unless JSON is preferred.
    ///
    /// - Throws: `NotAcceptable`, `InvalidQueryOption`.
    public static func metadata(format: String?, fields: HTTPFields) throws(ODataError) -> MetadataFormat {
        let known: Set = ["application/xml", "application/json", "application/*", "*/*", "text/xml"]
        guard let range = try best(format, fields, accepts: { known.contains($0.type) }) else {
            throw ODataError(.notAcceptable, "Metadata is answered as application/xml or application/json.")
        }
        return range.type == "application/json" ? .json : .xml
    }

    /// Whether a client takes answers of that type, whatever their parameters.
    public static func accepts(_ type: String, fields: HTTPFields) -> Bool {
        let family = type.prefix { $0 != "/" } + "/*"
        return ranges(fields).contains { [type, String(family), "*/*"].contains($0.type) && $0.quality > 0 }
    }

    private static func best(
        _ format: String?,
        _ fields: HTTPFields,
        accepts: (Range) -> Bool
    ) throws(ODataError) -> Range? {
        if let format {
            switch format.lowercased() {
            case "json", "xml":
                let range = Range(type: "application/\(format.lowercased())", parameters: [], quality: 1)
                return accepts(range) ? range : nil
            case "atom": return nil
            default: break
            }
            guard let range = parse(format).first else {
                throw ODataError(.invalidQueryOption, "$format is no media type.", target: "$format")
            }
            return accepts(range) ? range : nil
        }
        let ranges = ranges(fields)
        var best: Range?
        for range in ranges where accepts(range) && range.quality > 0 {
            guard let current = best else {
                best = range
                continue
            }
            if (range.quality, range.specificity) > (current.quality, current.specificity) { best = range }
        }
        return best
    }

    private static func ranges(_ fields: HTTPFields) -> [Range] {
        let ranges = fields[values: .accept].flatMap(parse)
        return ranges.isEmpty ? [Range(type: "*/*", parameters: [], quality: 1)] : ranges
    }

    /// The entries of a list; what is malformed is passed over.
    static func parse(_ text: String) -> [Range] {
        var scanner = HeaderScanner(text)
        var ranges: [Range] = []
        while true {
            scanner.skipBlanks()
            if scanner.skip(",") { continue }
            guard !scanner.isAtEnd else { return ranges }
            guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token() else {
                _ = scanner.rest(until: [UInt8(ascii: ",")])
                continue
            }
            var range = Range(type: "\(type)/\(subtype)".lowercased(), parameters: [], quality: 1)
            scanner.skipBlanks()
            while scanner.skip(";") {
                scanner.skipBlanks()
                guard let name = scanner.token()?.lowercased() else { break }
                scanner.skipBlanks()
                guard scanner.skip("=") else { continue }
                scanner.skipBlanks()
                guard let value = scanner.tokenOrQuoted()?.lowercased() else { break }
                scanner.skipBlanks()
                if name == "q" {
                    range.quality = Double(value) ?? 0
                } else {
                    range.parameters.append((name, value))
                }
            }
            ranges.append(range)
            _ = scanner.rest(until: [UInt8(ascii: ",")])
        }
    }
}

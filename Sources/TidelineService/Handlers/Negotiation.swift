// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData

/// Chooses the form of an answer from `$format` and `Accept`.
enum Negotiation {
    /// One media type of a list with its parameters, names in lower case.
    private struct Range {
        var type: String
        var parameters: [String: String]
        var quality: Double

        init?(_ text: Substring) {
            let parts = text.split(separator: ";").map { $0.trimmed }
            guard let first = parts.first, !first.isEmpty else { return nil }
            type = first.lowercased()
            parameters = [:]
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmed.lowercased() }
                if pair.count == 2 { parameters[pair[0]] = pair[1] }
            }
            quality = parameters["q"].flatMap { Double($0) } ?? 1
        }

        var isJSON: Bool { ["application/json", "application/*", "*/*", "json"].contains(type) }
    }

    private static func ranges(_ text: String) -> [Range] {
        let ranges = text.split(separator: ",").compactMap { Range($0) }.filter { $0.quality > 0 }
        return ranges.enumerated().sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }.map(
            \.element
        )
    }

    /// The form of JSON that is asked for.
    ///
    /// - Parameter format: the value of `$format`, which goes before `Accept`.
    /// - Throws: `NotAcceptable` when no JSON is among what the client takes.
    static func format(_ format: String?, _ fields: HTTPFields, _ version: ODataVersion) throws(ODataError)
        -> JSONFormat
    {
        guard let text = format ?? fields[.accept], !text.allSatisfy({ $0 == " " }) else {
            return JSONFormat(version: version)
        }
        guard let range = ranges(text).first(where: \.isJSON) else {
            throw ODataError(
                .notAcceptable,
                "The answer is JSON, which the request does not take.",
                target: format == nil ? "Accept" : "$format"
            )
        }
        let metadata = range.parameters["metadata"] ?? range.parameters["odata.metadata"]
        return JSONFormat(
            version: version,
            // Full control information would say nothing more that a client can act on: minimal is given for it.
            metadata: metadata == "none" ? .none : .minimal,
            ieee754Compatible: range.parameters["ieee754compatible"] == "true"
        )
    }

    /// Whether a list of media types puts JSON before XML.
    static func prefersJSON(_ text: String?) -> Bool {
        guard let text else { return false }
        for range in ranges(text) {
            if ["application/json", "json"].contains(range.type) { return true }
            if ["application/xml", "text/xml", "xml", "*/*", "application/*"].contains(range.type) { return false }
        }
        return false
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

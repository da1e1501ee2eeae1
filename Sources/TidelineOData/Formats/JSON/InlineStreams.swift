// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The streams whose content stands in a body: as it is written, and the media type that is told beside it.
///
///     "Note@mediaContentType": "text/plain", "Note": "hello"        the text
///     "Form@mediaContentType": "application/json", "Form": {"a": 1}  the JSON
///     "Photo@mediaContentType": "image/png", "Photo": "iVBORw"       base64url, as without a type
///
/// Source: OData JSON Format 4.01, section 9.
struct InlineStreams {
    private var contents: [(place: Int, json: [UInt8])] = []
    private var types: [Int: String] = [:]

    mutating func note(_ type: String, of place: Int) { types[place] = type }

    mutating func add(_ place: Int, _ reader: inout JSONReader) throws(ODataError) {
        let range = try reader.skipValueRange()
        contents.append((place, reader.copy(range)))
    }

    /// Puts the contents and their types into what a body gives; a type that the body gives itself stays.
    ///
    /// - Parameter plain: reads a content in base64url.
    func write(
        to result: inout EntityBody,
        of type: EntityType,
        plain: (Int, inout JSONReader, inout EntityBody) throws(ODataError) -> Void
    ) throws(ODataError) {
        for (place, json) in contents {
            let told = types[place]
            try JSONReader.read(json[...]) { reader throws(ODataError) in
                switch (try reader.kind(), told.map(Form.init)) {
                case (.null, _), (_, nil), (_, .bytes): try plain(place, &reader, &result)
                case (_, .text):
                    let text = try reader.stringValue()
                    result.assignments.append(.init(property: place, value: .binary(Array(text.utf8))))
                case (_, .json):
                    try reader.skipValue()
                    result.assignments.append(.init(property: place, value: .binary(json)))
                }
            }
            guard let told, let name = type.properties[place].stream?.contentTypeProperty, json != Array("null".utf8),
                !result.assignments.contains(where: { $0.property == name })
            else { continue }
            result.assignments.append(.init(property: name, value: .string(told)))
        }
    }

    /// How the content of a media type stands in JSON.
    private enum Form {
        case json, text, bytes

        init(_ type: String) {
            let essence = type.lowercased().prefix { $0 != ";" && $0 != " " }
            let charset = type.lowercased().split(separator: "charset=").dropFirst().first ?? "utf-8"
            let isUTF8 = charset.hasPrefix("utf-8") || charset.hasPrefix("\"utf-8") || charset.hasPrefix("us-ascii")
            if essence == "application/json" || essence.hasPrefix("application/") && essence.hasSuffix("+json") {
                self = .json
            } else {
                self = essence.hasPrefix("text/") && isUTF8 ? .text : .bytes
            }
        }
    }
}

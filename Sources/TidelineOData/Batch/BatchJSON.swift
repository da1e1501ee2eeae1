// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel

/// What requests and responses of a JSON batch have in common: headers and bodies.
///
/// Source: OData JSON Format 4.01, section 19.
enum BatchJSON {
    /// How a body stands in JSON, by its media type.
    enum BodyForm {
        /// JSON as it is.
        case json
        /// A string.
        case text
        /// A string of base64url digits.
        case binary

        init(contentType: String?) {
            let type = contentType.map { $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() }
            switch type {
            case nil: self = .json
            case let type? where type == "application/json" || type.hasSuffix("+json"): self = .json
            case let type? where type.hasPrefix("text/"): self = .text
            default: self = .binary
            }
        }
    }

    /// `{"content-type":"application/json"}`; fields of one name become one.
    static func write(_ headers: HTTPFields, to output: ByteWriter) {
        output.append("{")
        var written = MemberNames()
        var isFirst = true
        for field in headers {
            let name = field.name.canonicalName
            guard written.insert(name) else { continue }
            if !isFirst { output.append(",") }
            isFirst = false
            output.appendQuoted(name)
            output.append(":")
            output.appendQuoted(headers[values: field.name].joined(separator: ", "))
        }
        output.append("}")
    }

    static func write(body: [UInt8], contentType: String?, to output: ByteWriter) {
        switch BodyForm(contentType: contentType) {
        case .json: output.append(body)
        case .text: output.appendQuoted(String(decoding: body, as: UTF8.self))
        case .binary:
            output.append(UInt8(ascii: "\""))
            unsafe body.withUnsafeBytes { unsafe output.append(base64URL: $0) }
            output.append(UInt8(ascii: "\""))
        }
    }

    static func headers(_ reader: inout JSONReader) throws(ODataError) -> HTTPFields {
        var fields = HTTPFields()
        guard try reader.kind() == .object else {
            throw ODataError(.invalidBatch, "headers is no object.", at: reader.offset)
        }
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            let text = try reader.string(token)
            guard let name = HTTPField.Name(text), try reader.kind() == .string else {
                throw ODataError(.invalidBatch, "The header \(text.prefix(100)) is none.", at: reader.offset)
            }
            let value = try reader.stringValue()
            guard HTTPField.isValidValue(value), fields[name] == nil else {
                throw ODataError(.invalidBatch, "The header \(text.prefix(100)) cannot be used.", at: reader.offset)
            }
            fields[name] = value
        }
        return fields
    }

    /// The body that stands at `range`, as the bytes that HTTP would carry.
    static func body(
        _ range: Range<Int>,
        contentType: String?,
        _ reader: JSONReader
    ) throws(ODataError) -> [UInt8] {
        let form = BodyForm(contentType: contentType)
        guard form != .json else { return reader.copy(range) }
        var inner = reader
        inner.offset = range.lowerBound
        guard try inner.kind() == .string else {
            throw ODataError(.invalidBatch, "A body that is not JSON must be a string.", at: range.lowerBound)
        }
        var bytes: [UInt8] = []
        try inner.append(try inner.text(), to: &bytes)
        guard form == .binary else { return bytes }
        guard case .binary(let decoded)? = unsafe bytes.withUnsafeBytes({ unsafe Value(utf8: $0, as: .binary) }) else {
            throw ODataError(.invalidBatch, "A body that is not JSON must be base64url.", at: range.lowerBound)
        }
        return decoded
    }

    /// A member's name, refused when the object had it before.
    static func name(
        _ token: JSONReader.Text,
        _ reader: JSONReader,
        seen: inout MemberNames
    ) throws(ODataError) -> String {
        let name = try reader.string(token)
        guard seen.insert(name) else {
            throw ODataError(.invalidBatch, "\(name.prefix(100)) is there twice.", at: reader.offset)
        }
        return name
    }

    /// A string member, or an error that names it.
    static func string(_ name: String, _ reader: inout JSONReader) throws(ODataError) -> String {
        guard try reader.kind() == .string else {
            throw ODataError(.invalidBatch, "\(name) is no string.", target: name, at: reader.offset)
        }
        return try reader.stringValue()
    }
}

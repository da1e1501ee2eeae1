// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The JSON body of an error.
///
/// Source: OData JSON Format 4.01, section 21.1.
public enum ErrorBody {
    /// `{"error":{"code":…,"message":…,"target":…,"details":[…]}}`.
    public static func write(_ error: ODataError) -> [UInt8] {
        let output = ByteWriter(capacity: 256)
        output.append("{\"error\":{")
        write(error.code, error.message, error.target, to: output)
        if !error.details.isEmpty {
            output.append(",\"details\":[")
            for (place, detail) in error.details.enumerated() {
                output.append(place == 0 ? "{" : ",{")
                write(detail.code, detail.message, detail.target, to: output)
                output.append("}")
            }
            output.append("]")
        }
        output.append("}}")
        return output.bytes
    }

    private static func write(_ code: String, _ message: String, _ target: String?, to output: ByteWriter) {
        output.append("\"code\":")
        output.appendQuoted(code)
        output.append(",\"message\":")
        output.appendQuoted(message)
        if let target {
            output.append(",\"target\":")
            output.appendQuoted(target)
        }
    }

    /// The error of a body; `nil` when the body is no OData error, as when a proxy answered.
    public static func read(_ body: [UInt8]) -> ODataError? {
        do throws(ODataError) {
            return try JSONReader.read(body[...]) { reader throws(ODataError) in
                var result: ODataError?
                try reader.beginObject()
                var isFirst = true
                while let name = try reader.nextName(&isFirst) {
                    let text = try reader.string(name)
                    if text == "error" || text == "odata.error" {
                        result = try error(&reader)
                    } else {
                        try reader.skipValue()
                    }
                }
                return result
            }
        } catch {
            return nil
        }
    }

    private static func error(_ reader: inout JSONReader) throws(ODataError) -> ODataError {
        var result = ODataError(code: "", message: "")
        try reader.beginObject()
        var isFirst = true
        while let name = try reader.nextName(&isFirst) {
            switch try reader.string(name) {
            case "code" where try reader.kind() == .string: result.code = try reader.stringValue()
            case "message" where try reader.kind() == .string: result.message = try reader.stringValue()
            case "target" where try reader.kind() == .string: result.target = try reader.stringValue()
            case "details" where try reader.kind() == .array:
                try reader.beginArray()
                var isFirstDetail = true
                while try reader.nextElement(&isFirstDetail) {
                    let detail = try detail(&reader)
                    result.details.append(detail)
                }
            default: try reader.skipValue()
            }
        }
        return result
    }

    private static func detail(_ reader: inout JSONReader) throws(ODataError) -> ODataError.Detail {
        var result = ODataError.Detail(code: "", message: "")
        try reader.beginObject()
        var isFirst = true
        while let name = try reader.nextName(&isFirst) {
            switch try reader.string(name) {
            case "code" where try reader.kind() == .string: result.code = try reader.stringValue()
            case "message" where try reader.kind() == .string: result.message = try reader.stringValue()
            case "target" where try reader.kind() == .string: result.target = try reader.stringValue()
            default: try reader.skipValue()
            }
        }
        return result
    }
}

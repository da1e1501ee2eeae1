// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Writes errors as v2 has them.
public enum V2Error {
    /// The media type of an error's body.
    public static func contentType(_ format: V2Format) -> String {
        format == .json ? "application/json;charset=utf-8" : "application/xml;charset=utf-8"
    }

    /// `{"error":{"code":…,"message":{"lang":"en","value":…}}}`, or the same in XML.
    public static func write(_ error: ODataError, _ format: V2Format) -> [UInt8] {
        switch format {
        case .json:
            let message = JSONTree.object([("lang", .text("en")), ("value", .text(error.message))])
            return JSONTree.object([("error", .object([("code", .text(error.code)), ("message", message)]))]).bytes
        case .atom:
            var xml = XMLWriter.likeVersion2()
            xml.element("error", [("xmlns", V2Body.metadata)]) { xml in
                xml.element("code", text: error.code)
                xml.element("message", [("xml:lang", "en")], text: error.message)
            }
            return xml.bytes
        }
    }
}

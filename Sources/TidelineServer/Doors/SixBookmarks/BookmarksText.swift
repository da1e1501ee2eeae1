// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// The two encodings that documents of clients of 2010 are in.
enum BookmarksText: String {
    case utf8 = "utf-8"
    case latin1 = "iso-8859-1"

    /// The encoding of a body: what its header says, else what its declaration says, else UTF-8.
    ///
    /// - Throws: `UnsupportedMediaType` for any other.
    static func encoding(of body: [UInt8], contentType: String?) throws(ODataError) -> BookmarksText {
        let declared = String(decoding: body.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        let isDeclared = declared.contains("<?xml")
        guard let name = value("charset", in: contentType ?? "") ?? (isDeclared ? value("encoding", in: declared) : nil)
        else { return .utf8 }
        switch name {
        case "utf-8", "utf8", "us-ascii": return .utf8
        case "iso-8859-1", "latin1": return .latin1
        default:
            throw ODataError(.unsupportedMediaType, "Bodies are in UTF-8 or in ISO-8859-1.", target: "Content-Type")
        }
    }

    /// A text of this encoding as UTF-8.
    func utf8(_ bytes: [UInt8]) -> [UInt8] {
        guard self == .latin1 else { return bytes }
        return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    }

    /// The encoding that a client prefers for an answer: the first of these two that it names, else UTF-8.
    init(accepting field: String?) {
        let names = (field ?? "").lowercased().split(separator: ",").map { part in
            part.split(separator: ";").first.map { $0.filter { $0 != " " } } ?? ""
        }
        self = names.lazy.compactMap { BookmarksText(rawValue: $0) }.first ?? .utf8
    }

    /// A document of XML in UTF-8, as this encoding has it, with a declaration that says so.
    func document(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let content = text.hasPrefix("<?xml") ? text.drop { $0 != ">" }.dropFirst() : text[...]
        let declaration = "<?xml version=\"1.0\" encoding=\"\(rawValue)\" standalone=\"yes\"?>"
        guard self == .latin1 else { return Array((declaration + content).utf8) }
        var result = Array(declaration.utf8)
        for scalar in content.unicodeScalars {
            if scalar.value < 0x100 {
                result.append(UInt8(scalar.value))
            } else {
                result.append(contentsOf: "&#\(scalar.value);".utf8)
            }
        }
        return result
    }

    /// The value of `name=value`, with or without quotes, in small letters.
    private static func value(_ name: String, in text: String) -> String? {
        let text = text.lowercased()
        guard let mark = text.firstRange(of: name + "=") else { return nil }
        let rest = text[mark.upperBound...].drop { $0 == "\"" || $0 == "'" }
        let value = rest.prefix { !"\"'; ?".contains($0) }
        return value.isEmpty ? nil : String(value)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The parts of a body of the type `multipart/form-data`.
///
///     --boundary
///     Content-Disposition: form-data; name="picture"; filename="cod.jpg"
///     Content-Type: image/jpeg
///
///     the bytes
///     --boundary--
///
/// Source: RFC 7578, sections 4.1 to 4.4; RFC 2046, section 5.1.1.
struct MultipartForm {
    struct Part: Hashable {
        var name: String
        var fileName: String?
        var type: String?
        var bytes: ArraySlice<UInt8>
    }

    let parts: [Part]

    /// - Parameter contentType: with the boundary.
    /// - Returns: `nil` for what is no such body, is cut off, or has more parts than `limit`.
    init?(_ body: [UInt8], contentType: String, limit: Int = 32) {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count)
        else { return nil }
        let mark = Array("--\(boundary)".utf8)
        let between = Array("\r\n--\(boundary)".utf8)
        guard var place = Self.end(of: mark, in: body[...]) else { return nil }
        var parts: [Part] = []
        while !body[place...].starts(with: "--".utf8) {
            guard body[place...].starts(with: "\r\n".utf8), parts.count < limit,
                let next = Self.place(of: between, in: body[(place + 2)...]),
                let part = Self.part(body[(place + 2)..<next])
            else { return nil }
            parts.append(part)
            place = next + between.count
        }
        self.parts = parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        guard let end = place(of: Array("\r\n\r\n".utf8), in: bytes),
            let head = String(validating: bytes[..<end], as: UTF8.self)
        else { return nil }
        var part = Part(name: "", bytes: bytes[(end + 4)...])
        for line in head.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = String(line[line.index(after: colon)...].trimmingPrefix { $0 == " " })
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard let name = parameter("name", of: value) else { return nil }
                part.name = name
                part.fileName = parameter("filename", of: value)
            case "content-type": part.type = value.lowercased()
            default: break
            }
        }
        return part.name.isEmpty ? nil : part
    }

    /// A parameter of a header field's value, bare or in quotes.
    private static func parameter(_ name: String, of value: String) -> String? {
        for part in value.split(separator: ";").dropFirst() {
            let trimmed = part.trimmingPrefix { $0 == " " }
            guard let equals = trimmed.firstIndex(of: "="), trimmed[..<equals].lowercased() == name else { continue }
            let text = trimmed[trimmed.index(after: equals)...]
            return text.hasPrefix("\"") && text.hasSuffix("\"") && text.count > 1
                ? String(text.dropFirst().dropLast()) : String(text)
        }
        return nil
    }

    /// Behind the first boundary: what stands before it says nothing.
    private static func end(of mark: [UInt8], in body: ArraySlice<UInt8>) -> Int? {
        if body.starts(with: mark) { return body.startIndex + mark.count }
        let found = place(of: Array("\r\n".utf8) + mark, in: body)
        return found.map { $0 + mark.count + 2 }
    }

    /// Where bytes first stand.
    private static func place(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
        var start = bytes.startIndex
        let last = bytes.endIndex - wanted.count
        while start <= last {
            guard let found = bytes[start...last].firstIndex(of: first) else { return nil }
            if bytes[found...].starts(with: wanted) { return found }
            start = found + 1
        }
        return nil
    }
}

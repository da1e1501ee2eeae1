// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An absolute URL, cut into the root of a service and what is asked of it.
///
///     http://host:8080/odata/shop/Orders(42)?$select=Total
///     \_________________________/ \______________________/
///                root                     target
///
/// Which service has which root is not for a URL to say: the root ends where what follows has a meaning in the model.
/// Source: OData ABNF construction rules 4.01, `odataUri`; RFC 3986, section 3.
public struct RequestURL: Hashable, Sendable {
    /// Scheme, host and path, with a slash at the end.
    public var root: String
    /// `nil` when the URL is that of the root itself.
    public var target: RequestTarget?

    /// - Parameter names: the names of the model that the service has.
    /// - Throws: `InvalidURL`, or what is wrong with the part after the longest root.
    public init(parsing text: String, names: NameTable) throws(ODataError) {
        let path = try Self.path(of: text)
        let end = text.utf8[path...].firstIndex { [UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let slashes = text.utf8[path..<(end ?? text.endIndex)].indices.filter { text.utf8[$0] == UInt8(ascii: "/") }
        var failure = ODataError(.invalidURL, "After the host comes a path that begins with a slash.")
        for slash in slashes.prefix(ResourcePath.segmentLimit) {
            let start = text.utf8.index(after: slash)
            guard start < text.endIndex else {
                root = text
                target = nil
                return
            }
            do throws(ODataError) {
                target = try RequestTarget(
                    parsing: text[start...],
                    names: names,
                    base: text.utf8.distance(from: text.startIndex, to: start)
                )
                root = String(text[..<start])
                return
            } catch {
                if (error.position ?? 0) >= (failure.position ?? 0) { failure = error }
            }
        }
        throw failure
    }

    /// Where the path begins: after scheme, host and port.
    private static func path(of text: String) throws(ODataError) -> String.Index {
        func invalid(_ message: String, at place: String.Index) -> ODataError {
            var error = ODataError(.invalidURL, message)
            error.position = text.utf8.distance(from: text.startIndex, to: place)
            return error
        }
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(where: { !isLetter($0) }),
            ["http", "https"].contains(text[..<colon].lowercased()), text[colon...].hasPrefix("://")
        else {
            let place = bytes.firstIndex { !isLetter($0) } ?? text.endIndex
            throw invalid("An absolute URL begins with http:// or https://.", at: place)
        }
        var place = bytes.index(colon, offsetBy: 3)
        let host = place
        if place < text.endIndex, bytes[place] == UInt8(ascii: "[") {
            guard let close = bytes[place...].firstIndex(of: UInt8(ascii: "]")), close > bytes.index(after: place),
                bytes[bytes.index(after: place)..<close].allSatisfy(isAddressByte)
            else { throw invalid("The address in brackets is not well formed.", at: place) }
            place = bytes.index(after: close)
        } else {
            while place < text.endIndex, isHostByte(bytes[place]) { place = bytes.index(after: place) }
            guard place > host else { throw invalid("The host is missing.", at: place) }
        }
        if place < text.endIndex, bytes[place] == UInt8(ascii: ":") {
            place = bytes.index(after: place)
            while place < text.endIndex, (0x30...0x39).contains(bytes[place]) { place = bytes.index(after: place) }
        }
        guard place < text.endIndex, bytes[place] == UInt8(ascii: "/") else {
            throw invalid("After the host comes a path that begins with a slash.", at: place)
        }
        return place
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Source: RFC 3986, `reg-name`.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || "-._~%!$&'()*+,;=".utf8.contains(byte)
    }

    /// Source: RFC 3986, `IP-literal`.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "%") && (isHostByte(byte) || byte == UInt8(ascii: ":"))
    }
}

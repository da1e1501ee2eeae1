// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ServiceAddress {
    /// The path and query, from the host's root, of a reference that stands in an answer.
    ///
    ///     "Orders?$skip=5"  from  /odata/shop/Clients(1)/Orders   is   /odata/shop/Clients(1)/Orders?$skip=5
    ///     "../x"            from  /odata/shop/Clients             is   /odata/x
    ///
    /// - Parameter base: the path and query of what the reference is relative to.
    /// - Throws: ``ClientError/Code/redirected`` when the reference leaves the origin.
    /// Source: RFC 3986, section 5.2; OData JSON Format 4.01, section 4.3.
    func resolve(_ reference: String, from base: String) throws(ClientError) -> String {
        let reference = String(reference.prefix { $0 != "#" })
        if Self.hasScheme(reference) || reference.hasPrefix("//") {
            let scheme = reference.prefix { $0 != ":" && $0 != "/" }.lowercased()
            guard ["http", "https", ""].contains(scheme) else {
                throw ClientError(.redirected, "The service sends to \(scheme):.", advice: "No token was sent there.")
            }
            return try resolve(reference)
        }
        let path = base.prefix { $0 != "?" && $0 != "#" }
        if reference.isEmpty { return String(base.prefix { $0 != "#" }) }
        if reference.hasPrefix("?") { return path + reference }
        let mark = reference.firstIndex(of: "?") ?? reference.endIndex
        let query = reference[mark...]
        if reference.hasPrefix("/") { return Self.withoutDots(reference[..<mark]) + query }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return Self.withoutDots(folder + reference[..<mark]) + query
    }

    /// Whether a reference begins with the name of a scheme and a colon.
    static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(of: ":"), reference.first?.isLetter == true else { return false }
        return reference[..<colon].utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "+-.".utf8.contains(byte)
        }
    }

    /// A path with its segments `.` and `..` taken out.
    private static func withoutDots(_ path: some StringProtocol) -> String {
        var segments: [Substring] = []
        let parts = String(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            switch part {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The address of a bookmark: only what a browser may be given.
///
/// The one rule for what is typed, what is stored and what is opened: rows of other devices may hold anything.
public enum BookmarkAddress {
    /// The most characters of an address.
    public static let mostCharacters = 256
    private static let schemes: Set<String> = ["http", "https"]

    /// The address that a text means; `https://` is put before one that says no scheme.
    ///
    /// - Throws: ``BookmarkError``: `emptyAddress`, `refusedScheme`, `notAnAddress`, `noHost`, `tooLong`.
    public static func checked(_ text: String) throws(BookmarkError) -> String {
        let text = text.trimmed
        guard !text.isEmpty else { throw .emptyAddress }
        // Blanks and control characters, which programs that open addresses read in different ways.
        guard
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            })
        else { throw .notAnAddress(text) }
        let whole: String
        if let scheme = scheme(of: text) {
            guard schemes.contains(scheme) else { throw .refusedScheme(scheme) }
            whole = text
        } else {
            // A single word is no host that somebody means.
            guard let host = host(of: "//" + text), host.contains(".") || host == "localhost" else {
                throw .notAnAddress(text)
            }
            whole = "https://" + text
        }
        guard let mark = whole.firstIndex(of: ":"), let host = host(of: whole[whole.index(after: mark)...]) else {
            throw .notAnAddress(text)
        }
        guard !host.isEmpty else { throw .noHost(text) }
        guard whole.unicodeScalars.count <= mostCharacters else { throw .tooLong("address", most: mostCharacters) }
        return whole
    }

    /// The scheme in lower case, or `nil`: what stands before the colon of `example.org:8080` is a host.
    ///
    /// Source: RFC 3986, section 3.1.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic,
            scheme.unicodeScalars.allSatisfy({
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0))
            })
        else { return nil }
        let rest = text[text.index(after: colon)...]
        let isPort = !rest.isEmpty && rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.allSatisfy(\.isNumber)
        return isPort && (scheme.contains(".") || scheme == "localhost") ? nil : scheme
    }

    /// The host of what stands after the scheme and its colon, or `nil` where no `//` stands there.
    private static func host(of rest: some StringProtocol) -> String? {
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return String(host.hasPrefix("[") ? host : host.prefix { $0 != ":" })
    }
}

extension String {
    /// Without the blanks at both ends.
    public var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}

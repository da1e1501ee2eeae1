// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a form takes for the address of a bookmark.
///
///     https://ann@example.com:8080/path?query
///     \______/    \_________/
///      scheme        host
enum WebAddress {
    private static let schemes = ["http://", "https://"]
    private static let mostCharacters = 256

    /// What is wrong with an address, as the end of a sentence about what has it; `nil` for one that is taken.
    static func problem(_ text: String) -> String? {
        guard let scheme = schemes.first(where: text.lowercased().hasPrefix) else {
            return "has an address that does not begin with http:// or https://."
        }
        if host(of: text.dropFirst(scheme.count)).isEmpty {
            return "has an address without a host: after https:// comes the name of a site, like example.com."
        }
        if text.unicodeScalars.count > mostCharacters {
            return "has an address of more than \(mostCharacters) characters."
        }
        return text.contains(where: \.isWhitespace) ? "has an address with a space in it." : nil
    }

    /// The host of what stands after the scheme; empty where there is none.
    ///
    /// A backslash is a slash to browsers. Source: URL Living Standard, section 4.4, "special authority slashes state".
    private static func host(of rest: Substring) -> Substring {
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return host.hasPrefix("[") ? host : host.prefix { $0 != ":" }
    }
}

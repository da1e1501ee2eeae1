// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The address of a domain: `https://example.org/odata/shop/`.
public struct ServiceAddress: Hashable, Sendable {
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case, with the port where it is not that of the scheme.
    public let authority: String
    /// The path, percent-encoded, with a slash at both ends.
    public let path: String

    /// Reads an address; a slash at the end is added, a query is refused.
    ///
    /// - Throws: ``ClientError/Code/invalidAddress``.
    public init(_ text: String) throws(ClientError) {
        guard let (scheme, authority, rest) = Self.split(text), !rest.contains(where: { $0 == "?" || $0 == "#" }),
            Self.hasPort(authority)
        else {
            throw ClientError(
                .invalidAddress,
                "\(text) is no address of a service.",
                advice: "Give it as https://host/odata/domain/."
            )
        }
        self.scheme = scheme
        self.authority = authority
        path = rest.hasSuffix("/") ? rest : rest + "/"
    }

    /// The whole address.
    public var text: String { "\(scheme)://\(authority)\(path)" }

    /// Scheme and authority: where tokens may go.
    public var origin: String { "\(scheme)://\(authority)" }

    /// The host without port and brackets.
    public var host: String {
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }

    /// Whether the address is that of this very machine.
    public var isLoopback: Bool {
        let host = host
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether passwords and tokens may travel there: encrypted, or without leaving the machine.
    public var isSecure: Bool { scheme == "https" || isLoopback }

    /// The name of the domain: the last part of the path.
    public var domain: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The path of a sign-in route of the domain: `/auth/shop/token`.
    func authPath(_ action: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        if let place = parts.lastIndex(of: "odata") { parts[place] = "auth" }
        return "/" + (parts + [action]).joined(separator: "/")
    }

    /// The path and query, from the host's root, of a link that the service gave.
    ///
    /// - Parameter link: absolute, from the root of the host, or relative to the service root.
    /// - Throws: ``ClientError/Code/redirected`` when the link leaves the origin.
    public func resolve(_ link: String) throws(ClientError) -> String {
        if let (scheme, authority, rest) = Self.split(link) {
            // A service behind a proxy that ends TLS may call itself http; it is asked over TLS all the same.
            let isOwn = scheme == self.scheme || scheme == "http" && self.scheme == "https"
            guard isOwn, authority == self.authority else {
                throw ClientError(
                    .redirected,
                    "The service sends to another origin, \(scheme)://\(authority).",
                    advice:
                        "No token was sent there. If that is where the data lives now, move the store to that address."
                )
            }
            return rest
        }
        if link.hasPrefix("//") {
            throw ClientError(.redirected, "The service sends to another origin.", advice: "No token was sent there.")
        }
        return link.hasPrefix("/") ? link : path + link
    }

    /// Whether the port is one, where there is one: 1 to 65535.
    private static func hasPort(_ authority: String) -> Bool {
        // The colons of an IPv6 address stand in brackets.
        let rest = authority.lastIndex(of: "]").map { authority[authority.index(after: $0)...] } ?? authority[...]
        guard let colon = rest.firstIndex(of: ":") else { return true }
        let port = rest[rest.index(after: colon)...]
        return port.allSatisfy { $0.isASCII && $0.isNumber } && UInt16(port).map { $0 > 0 } == true
    }

    private static func split(_ text: String) -> (scheme: String, authority: String, rest: String)? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let after = text[mark.upperBound...]
        let end = after.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? after.endIndex
        var authority = after[..<end].lowercased()
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains(" ") else { return nil }
        let standard = scheme == "http" ? ":80" : ":443"
        if authority.hasSuffix(standard) { authority.removeLast(standard.count) }
        let rest = String(after[end...])
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return (scheme, authority, rest.hasPrefix("/") ? rest : "/" + rest)
    }
}

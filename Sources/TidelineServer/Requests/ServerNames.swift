// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The names that requests may call this server by.
///
/// A page of any site can let its own name point to 127.0.0.1: to the browser, this server is then that site. Where
/// nobody signs in, the name alone tells such requests.
struct ServerNames: Sendable {
    private let isLoopback: Bool
    private let names: Set<String>

    init(_ settings: ServerSettings) {
        isLoopback = settings.isLoopback
        names = Set(settings.hostNames.map { $0.lowercased() } + [settings.host.lowercased()])
    }

    /// A request names the server once.
    ///
    /// Source: RFC 9112, section 3.2.
    func check(_ request: HTTPRequest) throws(Refusal) {
        let others = HTTPField.Name("Host").map { request.headerFields[values: $0] } ?? []
        guard let authority = request.authority, !authority.isEmpty, others.isEmpty else { throw .badHost }
    }

    /// Whether a request without sign-in calls the server by a name that is its own; a server that other machines reach
    /// has names that it does not know.
    func contains(_ authority: String?) -> Bool {
        guard isLoopback, let authority else { return true }
        let name = Self.name(authority).lowercased()
        return Loopback.contains(name) || name.hasSuffix(".localhost") || names.contains(name)
    }

    /// Whether a link that goes out by mail may lead to that name.
    ///
    /// Who asks for a mail writes the Host field as they like, and the link holds a secret: it leads to a name that the
    /// server was started with, or to this machine where nobody else gets in.
    func canBeLinked(_ authority: String?) -> Bool {
        guard let authority else { return false }
        return names.contains(Self.name(authority).lowercased()) || isLoopback && contains(authority)
    }

    /// The name or address before the port, without the brackets of IPv6.
    private static func name(_ authority: String) -> Substring {
        if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" } }
        return authority.prefix { $0 != ":" }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where mails are handed in: `smtp://127.0.0.1:25`, a mail server of this machine.
///
/// A link for another password does not leave the machine in plain text: the mail server there takes it on, over TLS.
public struct SMTPAddress: Hashable, Sendable {
    public var host: String
    public var port: Int

    /// - Returns: `nil` for a text of another form, and for a server elsewhere.
    public init?(_ text: String) {
        let scheme = "smtp://"
        guard text.lowercased().hasPrefix(scheme) else { return nil }
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        let colon = rest.hasSuffix("]") ? nil : rest.lastIndex(of: ":")
        let name = colon.map { rest[..<$0] } ?? rest
        host = String(name.hasPrefix("[") ? name.dropFirst().dropLast() : name)
        guard let port = colon.map({ Int(rest[rest.index(after: $0)...]) }) ?? 25, (1...65_535).contains(port),
            Loopback.contains(host)
        else { return nil }
        self.port = port
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineService

/// Where a PostgreSQL database is: a URL of libpq, a schema, and perhaps a file with the password.
///
///     postgres://user@host:5432/shop?sslmode=verify-full
struct PostgresAddress: Hashable, Sendable {
    var url: String
    var schema = "public"
    /// The path of the file, from the root or from the working folder.
    var passwordFile: String?
    /// The URL of a replica, for which the password is the same.
    var replica: String?

    /// Whether a text is an address of PostgreSQL.
    static func isAddress(_ text: String) -> Bool {
        ["postgres://", "postgresql://"].contains { text.hasPrefix($0) && text.count > $0.count }
    }

    /// The user, host and database between `://` and `?`.
    private var middle: Substring { url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" } }

    private var parameters: [Substring] {
        guard let start = url.firstIndex(of: "?") else { return [] }
        return url[url.index(after: start)...].split(separator: "&")
    }

    /// The address without a password: what may be shown.
    var shown: String {
        let scheme = url.prefix { $0 != "/" } + "//"
        var middle = String(self.middle)
        if let at = middle.lastIndex(of: "@"), let colon = middle[..<at].firstIndex(of: ":") {
            middle.removeSubrange(colon..<at)
        }
        let rest = parameters.filter { !$0.hasPrefix("password=") }
        return scheme + middle + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
    }

    /// Whether the address itself holds a password.
    var hasPassword: Bool { shown != url || replica.map { PostgresAddress(url: $0).hasPassword } ?? false }

    /// What libpq connects with; the password of the file included.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be read.
    func conninfo() throws -> String { try withPassword(url) }

    /// What libpq connects to the replica with, where there is one.
    func replicaConninfo() throws -> String? { try replica.map(withPassword) }

    /// The password of the file or of the address, where there is one.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be read.
    func password() throws -> String? {
        if let line = try passwordLine() { return String(decoding: line, as: UTF8.self) }
        if let option = parameters.first(where: { $0.hasPrefix("password=") }) {
            return Self.decoded(option.dropFirst(9))
        }
        guard let at = middle.lastIndex(of: "@"), let colon = middle[..<at].firstIndex(of: ":") else { return nil }
        return Self.decoded(middle[colon..<at].dropFirst())
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
                rest = rest.dropFirst(2)
                bytes.append(code)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first line of the file with the password.
    private func passwordLine() throws -> ArraySlice<UInt8>? {
        guard let passwordFile else { return nil }
        do {
            return try AtomicFile.read(passwordFile).prefix { $0 != 10 && $0 != 13 }
        } catch {
            throw CommandFailure("The file with the database's password cannot be read.", why: error.message)
        }
    }

    private func withPassword(_ url: String) throws -> String {
        guard let line = try passwordLine() else { return url }
        let isPlain = { (byte: UInt8) in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        }
        let encoded = line.map { byte in
            isPlain(byte) ? String(Unicode.Scalar(byte)) : "%" + String(UInt16(byte) + 256, radix: 16).dropFirst()
        }
        return url + (url.contains("?") ? "&" : "?") + "password=" + encoded.joined()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where a request goes: the path of its target, taken apart no further than routing needs.
///
///     /odata/shop/Orders(1)?$select=Id
///      \____/ \__/\_________________/
///       door  domain      rest
struct RequestAddress: Hashable {
    /// The path without the query, as it was sent.
    let path: Substring
    /// The path's segments before the third slash.
    let door: Substring
    /// The second segment, or nil.
    let domain: Substring?
    /// What follows the domain's segment, without its slash and without the query; nil when no slash follows.
    let rest: Substring?

    init(target: String) {
        var path = target[...]
        // The absolute form, as proxies send it. Source: RFC 9112, section 3.2.2.
        if !path.hasPrefix("/"), let colon = path.firstIndex(of: ":"), path[colon...].hasPrefix("://"),
            Self.isScheme(path[..<colon])
        {
            let afterScheme = path[colon...].dropFirst(3)
            path = afterScheme.firstIndex(of: "/").map { afterScheme[$0...] } ?? "/"
        }
        path = path.firstIndex(of: "?").map { path[..<$0] } ?? path
        self.path = path
        let parts = path.dropFirst().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        door = parts.first ?? ""
        domain = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        rest = parts.count > 2 ? parts[2] : nil
    }

    /// Whether a text may be a scheme: one that names a key, in whatever encoding, is none.
    ///
    /// Source: RFC 3986, section 3.1.
    private static func isScheme(_ text: Substring) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// The path for the log: keys, which are data, are taken out.
    var logged: String {
        var result = ""
        var depth = 0
        var isQuoted = false
        var rest = path.unicodeScalars.prefix(200)
        while let first = rest.first {
            let encoded = first == "%" ? Self.encoded.first(where: { rest.starts(with: $0.text.unicodeScalars) }) : nil
            let character = encoded?.character ?? first
            let sent = rest.prefix(encoded?.text.unicodeScalars.count ?? 1)
            rest = rest.dropFirst(sent.count)
            // A quote inside of a text is doubled.
            if character == "'", depth > 0 { isQuoted.toggle() }
            if character == ")", !isQuoted { depth = max(0, depth - 1) }
            if depth == 0 { result.unicodeScalars.append(contentsOf: sent) }
            if character == "(", !isQuoted {
                if depth == 0 { result.append("…") }
                depth += 1
            }
        }
        return result
    }

    /// What marks a key, as a client may send it: the service takes both for the same.
    private static let encoded: [(text: String, character: Unicode.Scalar)] = [
        ("%27", "'"), ("%28", "("), ("%29", ")"),
    ]
}

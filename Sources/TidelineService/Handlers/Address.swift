// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// The forms in which a request names a resource of this service.
///
///     https://host/odata/shop/Orders(1)     absolute
///     /odata/shop/Orders(1)                 from the root of the host
///     Orders(1), $1/Lines                   below the service root
struct Address {
    /// The service root with a slash at its end.
    let root: String

    init(_ root: String) {
        self.root = root
    }

    /// The part below the service root.
    ///
    /// - Throws: `InvalidURL` for an address of another service.
    func relative(_ text: String) throws(ODataError) -> String {
        if text.hasPrefix(root) { return String(text.dropFirst(root.count)) }
        let path = rootPath
        if text.hasPrefix(path) { return String(text.dropFirst(path.count)) }
        if text.contains("://") || text.hasPrefix("/") {
            // The host may be written in another way than the client's connection says; the path decides.
            if let scheme = text.range("://"), let slash = text[scheme...].firstIndex(of: "/"),
                text[slash...].hasPrefix(path)
            {
                return String(text[slash...].dropFirst(path.count))
            }
            throw ODataError(.invalidURL, "The address is not one of this service.")
        }
        return text
    }

    /// Whether an address by which a request refers to an entity is of another host than the service, where that is
    /// known.
    func isForeign(_ text: String) -> Bool {
        guard let own = Self.host(root), let other = Self.host(text) else { return false }
        return own != other
    }

    /// The error for such an address.
    func foreign(_ text: String, target: String) -> ODataError {
        ODataError(.invalidURL, "The address \(text.prefix(200)) is of another host than this service.", target: target)
    }

    /// The host of an absolute address, with its port where that is not the usual one; `nil` for a relative address.
    private static func host(_ text: String) -> String? {
        guard let start = text.range("://") else { return nil }
        let scheme = text[..<start].lowercased()
        guard scheme == "http://" || scheme == "https://" else { return nil }
        let host = text[start...].prefix { !"/?#".contains($0) }.lowercased()
        for port in [":80", ":443"] where host.hasSuffix(port) { return String(host.dropLast(port.count)) }
        return host
    }

    /// The path of the root without scheme and host.
    var path: String { rootPath }

    private var rootPath: String {
        guard let scheme = root.range("://"), let slash = root[scheme...].firstIndex(of: "/") else { return root }
        return String(root[slash...])
    }
}

extension String {
    /// The place behind the first occurrence of `mark`.
    fileprivate func range(_ mark: String) -> String.Index? {
        var place = startIndex
        while place < endIndex {
            if self[place...].hasPrefix(mark) { return index(place, offsetBy: mark.count) }
            place = index(after: place)
        }
        return nil
    }
}

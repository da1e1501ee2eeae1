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
        let host = Self.host(of: text)
        if host != nil || text.hasPrefix("/") {
            // The host may be written in another way than the client's connection says; the path decides.
            if let slash = host.flatMap({ text[$0...].firstIndex(of: "/") }), text[slash...].hasPrefix(path) {
                return String(text[slash...].dropFirst(path.count))
            }
            throw ODataError(.invalidURL, "The address is not one of this service.")
        }
        return text
    }

    /// Where the host of an absolute address begins; `nil` for a relative one, whose query may hold anything.
    private static func host(of text: String) -> String.Index? {
        guard let host = text.range("://"), !text[..<host].dropLast(3).contains(where: { "/?#".contains($0) }) else {
            return nil
        }
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

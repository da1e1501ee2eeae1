// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// The parameters of a logon: those of the address, or of a form that is sent.
///
///     operation=logon&username=ada&password=sand%26sea
struct BookmarksForm {
    private var values: [String: String] = [:]

    /// - Parameter text: as forms are encoded: `+` is a blank.
    /// - Throws: ``BookmarksFault``: a name that stands twice, and text that is none.
    init(_ text: some StringProtocol) throws(BookmarksFault) {
        for part in text.split(separator: "&") {
            let cut = part.firstIndex(of: "=") ?? part.endIndex
            let name = try Self.decode(part[..<cut]).lowercased()
            let value = try Self.decode(part[cut...].dropFirst())
            // A value with an unescaped & in it must not become another parameter.
            guard values.updateValue(value, forKey: name) == nil else { throw .invalidParameters }
        }
    }

    /// By a name in whatever letter case.
    subscript(_ name: String) -> String? { values[name] }

    private static func decode(_ text: some StringProtocol) throws(BookmarksFault) -> String {
        let plain =
            text.utf8.contains(UInt8(ascii: "+"))
            ? text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20") : String(text)
        do {
            return try PercentCoding.decode(plain[...])
        } catch {
            throw .invalidParameters
        }
    }
}

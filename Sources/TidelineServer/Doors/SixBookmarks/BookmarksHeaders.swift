// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What each request of a client of 2010 says of itself.
struct BookmarksHeaders: Hashable {
    /// `x-amx-apiusername`; `nil` where it is missing or empty.
    var account: String?
    /// `x-amx-token`; `nil` where it is missing or empty, which means the same.
    var token: String?

    /// - Throws: ``BookmarksFault`` for a field that comes twice.
    init(_ fields: HTTPFields) throws(BookmarksFault) {
        account = try Self.value("x-amx-apiusername", fields)
        token = try Self.value("x-amx-token", fields)
    }

    private static func value(_ name: String, _ fields: HTTPFields) throws(BookmarksFault) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = fields[values: name]
        guard values.count < 2 else { throw .missingHeaders }
        return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }
}

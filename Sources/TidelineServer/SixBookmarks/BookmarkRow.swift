// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A bookmark, as the service tells it.
struct BookmarkRow: Decodable {
    var BookmarkId: Int64
    var Name: String?
    var Url: String?
    var Ordinal: Int
    var etag: String?

    enum CodingKeys: String, CodingKey {
        case BookmarkId, Name, Url, Ordinal
        case etag = "@odata.etag"
    }
}

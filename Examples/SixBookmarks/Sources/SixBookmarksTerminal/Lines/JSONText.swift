// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
import SixBookmarksModels
import Tideline

/// The bookmarks as JSON.
struct BookmarkJSON: Encodable {
    let place: Int
    let name: String?
    let url: String?

    static func text(_ bookmarks: [Bookmark]) throws -> String {
        try JSONText.of(bookmarks.map { BookmarkJSON(place: Int($0.ordinal) + 1, name: $0.name, url: $0.url) })
    }
}

/// What a sync did as JSON.
struct SyncJSON: Encodable {
    let sent, received, merged, conflicts, refused, removed: Int
    let moved: [String]
    let withoutPlace: [String]

    init(_ sync: BookmarkSync) {
        (sent, received, merged) = (sync.report.sent, sync.report.received, sync.report.merged)
        (conflicts, refused, removed) = (sync.report.conflicts, sync.report.quarantined, sync.report.removed)
        moved = sync.moved.map(\.text)
        withoutPlace = sync.homeless.map { $0.name ?? "" }
    }

    var text: String { get throws { try JSONText.of(self) } }
}

/// JSON on one line, its fields by name.
enum JSONText {
    static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

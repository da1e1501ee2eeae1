// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A file that browsers load: its bytes, its media type, and the tag of its content.
struct WebFile: Sendable {
    let bytes: [UInt8]
    let type: String
    let etag: String

    /// - Parameter path: its ending tells the media type.
    init(path: String, text: String) {
        bytes = Array(text.utf8)
        type = Self.type(of: path)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        // FNV-1a: it tells releases apart and guards nothing.
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        etag = "\"\(String(hash, radix: 16))\""
    }

    private static func type(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "webmanifest": "application/manifest+json"
        case "json": "application/json"
        default: "text/plain; charset=utf-8"
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import TidelineService

/// Who may come through the door at all: passwords and tokens stand in addresses and plain fields there.
struct BookmarksGate {
    let isSecure: Bool
    let logger: Logger

    /// - Throws: ``BookmarksFault`` for what comes from another machine, unless the domain says so, and over TLS.
    func check(_ settings: SixBookmarksCompatibility, domain: String, isLoopback: Bool) throws(BookmarksFault) {
        guard !isLoopback else { return }
        guard isSecure, settings.reach == .everywhere else {
            logger.warning(
                "INSECURE: a request to the Six Bookmarks door from another machine was refused",
                metadata: ["domain": "\(domain)", "tls": "\(isSecure)", "reach": "\(settings.reach.rawValue)"]
            )
            throw .tooFar
        }
    }

    /// What the log says when a domain is opened that has the door.
    static func tell(_ domain: Domain, _ logger: Logger) {
        guard let settings = domain.sixBookmarks else { return }
        logger.warning(
            "INSECURE: the domain is open to clients of Six Bookmarks of 2010, whose passwords stand in addresses",
            metadata: ["domain": "\(domain.name)", "reach": "\(settings.reach.rawValue)"]
        )
    }
}

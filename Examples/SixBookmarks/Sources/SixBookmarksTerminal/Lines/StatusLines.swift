// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarksModels
import Tideline

/// The state in lines, or in JSON.
@MainActor
struct StatusLines {
    private struct Status: Encodable {
        let service: String
        let user: String
        let state: String
        let waiting: Int
        let refused: Int
        let conflicts: Int
        /// Seconds from 1970, or `null`.
        let lastSuccess: Int64?
    }

    private struct Entry: Encodable {
        let number: Int64
        let kind: String
        let bookmark: String
        let details: [String]
    }

    private let session: BookmarkSession
    private let sync: SyncModel

    init(_ session: BookmarkSession) throws {
        self.session = session
        sync = try SyncModel(session)
    }

    func lines(isJSON: Bool) throws -> [String] {
        let (account, status) = (session.account, sync.status)
        if isJSON {
            let value = Status(
                service: account.service,
                user: account.user,
                state: sync.state,
                waiting: status.pendingTransactions,
                refused: status.quarantined,
                conflicts: sync.conflicts.count,
                lastSuccess: status.lastSuccess?.seconds
            )
            return [try JSONText.of(value)]
        }
        var lines = [
            "\(TerminalText.safe(account.user)) at \(TerminalText.safe(account.service))", sync.state, sync.waiting,
            sync.lastSuccess,
        ]
        if !sync.conflicts.isEmpty || !sync.refused.isEmpty {
            lines.append("\(sync.conflicts.count) in conflict, \(sync.refused.count) refused: sixbookmarks conflicts.")
        }
        return lines
    }

    func conflicts(isJSON: Bool) throws -> [String] {
        let entries =
            sync.conflicts.map { Entry(number: $0.id, kind: "conflict", bookmark: $0.title, details: $0.details) }
            + sync.refused.map { Entry(number: $0.id, kind: "refused", bookmark: $0.title, details: [$0.reason]) }
        sync.markSeen()
        if isJSON { return [try JSONText.of(entries)] }
        guard !entries.isEmpty else { return ["No conflicts, and nothing refused."] }
        return entries.flatMap { entry in
            ["\(entry.number)  \(entry.kind): \(TerminalText.safe(entry.bookmark))"]
                + entry.details.map { "   " + TerminalText.safe($0) }
        }
    }
}

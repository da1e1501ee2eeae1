// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import SixBookmarks
public import Tideline

/// What a sync did, the places among it.
public struct BookmarkSync: Hashable, Sendable {
    /// The sum of its rounds.
    public private(set) var report: SyncReport
    /// Bookmarks that came to another place, because theirs was taken elsewhere.
    public internal(set) var moved: [SlotRepair.Move] = []
    /// Bookmarks that there is no place for, until another one is deleted.
    public internal(set) var homeless: [Bookmark] = []

    init(_ report: SyncReport) { self.report = report }

    mutating func add(_ more: SyncReport) {
        report.sent += more.sent
        report.received += more.received
        report.merged += more.merged
        report.conflicts += more.conflicts
        report.removed += more.removed
        // What was refused and sent again is refused no more.
        report.quarantined = more.quarantined
    }

    /// What a person is told.
    public var text: String {
        var parts: [String] = []
        if report.sent > 0 { parts.append("\(report.sent) sent") }
        if report.received > 0 { parts.append("\(report.received) received") }
        if report.merged > 0 { parts.append("\(report.merged) merged") }
        if report.removed > 0 { parts.append("\(report.removed) removed") }
        if report.conflicts > 0 { parts.append("\(report.conflicts) in conflict") }
        var lines = [
            "In step" + (parts.isEmpty ? "; nothing had changed." : ": " + parts.joined(separator: ", ") + ".")
        ]
        lines += moved.map(\.text)
        lines += homeless.map { "There is no free place for \"\($0.name ?? "")\". Delete a bookmark, then sync." }
        return lines.joined(separator: "\n")
    }
}

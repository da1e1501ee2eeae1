// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a briefcase holds, counted and not taken.
public struct BriefcaseSummary: Hashable, Sendable {
    /// A set of a briefcase.
    public struct SetCount: Hashable, Sendable {
        public var name: String
        public var rows: Int
    }

    public var briefcase: Briefcase
    /// The sets in the order of the model.
    public var sets: [SetCount]
    /// What waits.
    public var status: StoreStatus
}

extension Briefcase {
    /// What the briefcase at a path holds; `nil` when there is none that this release reads.
    ///
    /// Nothing is changed there.
    /// - Throws: ``LocalStoreError``, `damagedBriefcase`.
    public static func summary(
        at path: String,
        settings: StoreSettings = StoreSettings()
    ) throws -> BriefcaseSummary? {
        guard StoreFile.exists(path) else { return nil }
        return FileSystem.isFolder(path)
            ? try BriefcaseFolder(path: path).summary() : try BriefcaseFile(path: path).summary(settings)
    }
}

extension BriefcaseFile {
    fileprivate func summary(_ settings: StoreSettings) throws -> BriefcaseSummary? {
        var summary: BriefcaseSummary?
        _ = try inspected(settings) { store, found in
            guard case .found(let briefcase) = found else { return }
            let counts = try store.rowCounts()
            let sets = store.layout.sets.map { BriefcaseSummary.SetCount(name: $0.name, rows: counts[$0.name] ?? 0) }
            summary = BriefcaseSummary(briefcase: briefcase, sets: sets, status: try store.status())
        }
        return summary
    }
}

extension BriefcaseFolder {
    fileprivate func summary() throws -> BriefcaseSummary? {
        guard case .found(let briefcase) = try look() else { return nil }
        var sets: [BriefcaseSummary.SetCount] = []
        var status = StoreStatus(pendingTransactions: 0, sentTransactions: 0, quarantined: 0, conflicts: 0)
        try forEachFile { name, lines in
            switch name {
            case "pending": try count(lines, &status)
            case "conflicts": while try lines.next() != nil { status.conflicts += 1 }
            case _ where name.hasPrefix("set."):
                var rows = 0
                while try lines.next() != nil { rows += 1 }
                sets.append(BriefcaseSummary.SetCount(name: String(name.dropFirst(4)), rows: rows))
            default: break
            }
        }
        return BriefcaseSummary(briefcase: briefcase, sets: sets, status: status)
    }

    /// Counts transactions: each has a line for every change of it.
    private func count(_ lines: LineReader, _ status: inout StoreStatus) throws {
        var pending = Set<JSONValue>()
        var sent = Set<JSONValue>()
        var held = Set<JSONValue>()
        while let line = try lines.next() {
            guard let change = JSONValue(line) else { throw damaged("a change that waits") }
            let reason = change.member(["quarantine"])
            if reason != .null {
                held.insert(reason.member(["id"]))
            } else {
                pending.insert(change.member(["transaction"]))
                if change.member(["sent"]) == .boolean(true) { sent.insert(change.member(["transaction"])) }
            }
        }
        status.pendingTransactions = pending.count
        status.sentTransactions = sent.count
        status.quarantined = held.count
    }
}

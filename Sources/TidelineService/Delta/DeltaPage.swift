// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// One page of a delta: tells rows that may look different until it has as many rows or bytes as a page may have.
///
/// A row that matches now is sent whole; one that does not, and that the client may hold, as removed.
final class DeltaPage {
    /// So many rows are looked at together.
    static let chunk = 200
    /// So many changes of related entities are looked at for one page.
    private static let workLimit = 20_000
    /// So many keys are remembered as told; an answer without pages may tell a row twice beyond that.
    private static let memory = 100_000

    private let read: ReadHandler
    private let query: Query
    private let writer: JSONEntityWriter
    /// The bytes of the answer so far.
    private let bytes: () -> Int
    private let format: JSONFormat
    let isFlat: Bool
    /// Where the delta starts, then the other moments at which the client was shown rows.
    let trackers: [ChangeTracker]
    /// The rows that changed since each of the other moments, as they were then.
    private let earlier: [[Key: [Value?]?]]
    private let bytesAtMost: Int
    /// The most rows that this page may still tell; `.max` where there are no pages.
    private(set) var rowsLeft: Int
    private(set) var workLeft: Int
    /// How many rows may be told together, by the size of those before.
    private var size = 4
    private var told: Set<Key> = []

    /// - Parameters:
    ///   - rows: the most rows of the page, or `nil` where there are no pages.
    ///   - bytes: how many bytes the answer has so far.
    init(
        _ read: ReadHandler,
        _ query: Query,
        since: FeedPosition,
        seen: [FeedPosition],
        rows: Int?,
        isFlat: Bool,
        format: JSONFormat,
        writer: JSONEntityWriter,
        bytes: @escaping () -> Int
    ) throws {
        self.read = read
        self.query = query
        self.writer = writer
        self.bytes = bytes
        self.isFlat = isFlat
        self.format = format
        trackers = try ([since] + seen).map {
            try ChangeTracker(
                model: read.core.planner.model,
                reader: read.reader,
                query: query,
                user: read.call.user,
                since: $0
            )
        }
        // The pages before were read at other moments, and what they showed the client holds.
        var earlier: [[Key: [Value?]?]] = []
        for tracker in trackers.dropFirst() {
            var rows: [Key: [Value?]?] = [:]
            _ = try tracker.own(scope: nil) { rows[$0.key] = .some($0.before) }
            earlier.append(rows)
        }
        self.earlier = earlier
        rowsLeft = rows ?? .max
        workLeft = rows == nil ? .max : Self.workLimit
        bytesAtMost = rows == nil ? .max : read.core.planner.limits.pageBytes
        if rows == nil { size = Self.chunk }
    }

    var isPaged: Bool { rowsLeft < .max }
    var isFull: Bool { rowsLeft <= 0 || bytes() >= bytesAtMost }
    /// How many rows may be told together without going far beyond the page.
    var room: Int { min(rowsLeft, size) }

    /// Takes note of changes of related entities that were looked at.
    func worked(_ count: Int) { if workLeft < .max { workLeft -= count } }

    // MARK: Telling

    /// Tells what changed itself.
    ///
    /// - Returns: where the next page goes on, when this one is full.
    /// - Throws: ``StorageError/Code/unreadableValue`` where a row is there that has no key.
    func tellOwn(after: FeedPosition?, scope: ChangeQuery.Scope?) throws -> FeedPosition? {
        guard isPaged else {
            var pending: [ChangeTracker.Candidate] = []
            _ = try trackers[0].own(after: after, scope: scope, keyless: trackers[0].checkKeys) { candidate in
                pending.append(candidate)
                guard pending.count == Self.chunk else { return }
                try self.tellAll(pending, try self.former(pending))
                pending.removeAll(keepingCapacity: true)
            }
            try tellAll(pending, try former(pending))
            return nil
        }
        var changed: [ChangeTracker.Candidate] = []
        let next = try trackers[0].own(
            after: after,
            limit: rowsLeft,
            scope: scope,
            keyless: trackers[0].checkKeys
        ) { changed.append($0) }
        let done = try tell(changed) { try self.former($0) }
        if done == changed.count { return next }
        return try trackers[0].own(after: after, limit: done, scope: scope) { _ in }
    }

    /// Tells rows until the page is full.
    ///
    /// - Parameter lost: what some of them may have been related to.
    /// - Returns: how many were told.
    func tell(
        _ candidates: [ChangeTracker.Candidate],
        lost: ([ChangeTracker.Candidate]) throws -> [ExpansionChanges.Way: Set<Key>]
    ) throws -> Int {
        var done = 0
        while done < candidates.count, !isFull {
            let part = Array(candidates[done..<min(done + room, candidates.count)])
            try tellAll(part, try lost(part))
            done += part.count
        }
        return done
    }

    /// Tells rows, whether they go beyond the page or not.
    func tellAll(
        _ candidates: [ChangeTracker.Candidate],
        _ lost: [ExpansionChanges.Way: Set<Key>]
    ) throws {
        let before = bytes()
        if told.count > Self.memory { told = [] }
        // A link that went is told after its row, also where the row was told already.
        let fresh = candidates.filter { told.insert($0.key).inserted || !lost.isEmpty }
        for start in stride(from: 0, to: fresh.count, by: Self.chunk) {
            try write(Array(fresh[start..<min(start + Self.chunk, fresh.count)]), lost)
        }
        guard isPaged else { return }
        rowsLeft -= candidates.count
        let each = max(1, (bytes() - before) / max(1, candidates.count))
        size = max(1, min(Self.chunk, (bytesAtMost - min(bytesAtMost, bytes())) / each))
    }

    /// What rows that changed themselves led to before: a flat delta tells that the link is gone.
    private func former(_ candidates: [ChangeTracker.Candidate]) throws -> [ExpansionChanges.Way: Set<Key>] {
        guard isFlat else { return [:] }
        let changes = ExpansionChanges(
            model: read.core.planner.model,
            reader: read.reader,
            user: read.call.user,
            levels: [],
            notesLost: true
        )
        for candidate in candidates {
            for (place, tracker) in trackers.enumerated() {
                let image = place == 0 ? candidate.before : earlier[place - 1][candidate.key] ?? nil
                guard let image, try tracker.visibility(image) == .visible else { continue }
                try changes.noteFormer(candidate.key, image, of: query.plan.set, query.plan.expansions)
            }
        }
        return changes.takeLost()
    }

    /// Writes those of the candidates that match now, then the removal of those that the client may hold.
    private func write(
        _ candidates: [ChangeTracker.Candidate],
        _ lost: [ExpansionChanges.Way: Set<Key>]
    ) throws {
        guard !candidates.isEmpty else { return }
        let set = query.plan.set
        var plan = query.plan
        plan.filter = .all(plan.filter, .isKey(candidates.map(\.key), of: set.type))
        plan.orderBy = []
        plan.pageLimit = .unlimited
        writer.formerMembers = try formerMembers(candidates)
        var matching: Set<Key> = []
        let note = { (key: Key) in _ = matching.insert(key) }
        let sink: any RowSink =
            isFlat
            ? FlatSink(
                writer,
                plan,
                query.shape,
                format: format,
                contextRoot: read.call.contextRoot,
                lost: lost,
                receive: note
            ) : NotingSink(writer, set.type, columns: plan.columns) { key, _ in note(key) }
        _ = try read.reader.read(plan, into: sink)
        for candidate in candidates where !matching.contains(candidate.key) {
            let stored = try read.reader.entity(candidate.key, in: set)
            guard try mayBeHeld(candidate, now: stored) else { continue }
            writer.removed(key: candidate.key, reason: stored == nil ? .deleted : .changed)
        }
    }

    /// What the client may hold of the dynamic properties of rows, as it was shown them.
    private func formerMembers(_ candidates: [ChangeTracker.Candidate]) throws -> FormerMembers {
        var members = FormerMembers()
        guard let place = query.plan.set.type.dynamicProperty else { return members }
        for candidate in candidates {
            for (moment, tracker) in trackers.enumerated() {
                let image = moment == 0 ? candidate.before : earlier[moment - 1][candidate.key] ?? nil
                // The names in a row that the client could not see are none of its business.
                guard let image, try tracker.visibility(image) == .visible else { continue }
                members.note(candidate.key, image[place])
            }
        }
        return members
    }

    /// Whether the client may hold a row: it could be seen where the delta starts, or when an earlier page was read.
    private func mayBeHeld(_ candidate: ChangeTracker.Candidate, now stored: StoredEntity?) throws -> Bool {
        var isUnknown = false
        for (place, tracker) in trackers.enumerated() {
            var row = candidate.before
            if place > 0 { row = earlier[place - 1][candidate.key] ?? stored?.values.map { $0 } }
            switch try tracker.visibility(row) {
            case .visible: return true
            case .hidden: continue
            case .unknown: isUnknown = true
            }
        }
        // To send the key might tell of a row that was never seen; to send nothing might leave a row that may no
        // longer be seen. A fresh load does neither.
        if isUnknown { throw DeltaHandler.scopeChanged }
        return false
    }
}

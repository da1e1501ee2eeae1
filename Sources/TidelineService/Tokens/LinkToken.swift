// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What a next link or a delta link carries beside its query.
struct LinkToken: Hashable {
    /// Where the reading goes on.
    enum Place: Hashable {
        /// The next page of a query.
        ///
        /// - after: the continuation of the page before.
        /// - delivered: how many rows the pages before had, for `$top`.
        /// - start: the end of the change log when the first page was read, if changes are tracked.
        /// - count: how many entities matched when the first page was read, if that was asked for.
        case page(after: [Value], delivered: Int, start: FeedPosition?, count: Int?)
        /// The next page of a tracked query that expands.
        ///
        /// - moments: where the change log ended when the pages before were read, each once; the first page's first.
        case trackedPage(after: [Value], delivered: Int, moments: [FeedPosition], count: Int?)
        /// The related entities of a row that follow those of the page that the row came with.
        case rest(after: [Value])
        /// The changes since a position.
        case delta(since: FeedPosition)
        /// The changes since a load whose pages were read at several moments.
        ///
        /// - seen: the moments of the later pages; what was expanded there, the client holds.
        case deltaOfLoad(since: FeedPosition, seen: [FeedPosition])
        /// The next page of changes.
        ///
        /// - since: where the whole delta starts; before-images count from there.
        /// - after: the change that the page before ended with.
        /// - seen: the positions at which the pages before were read; what was visible there, the client may hold.
        case deltaPage(since: FeedPosition, after: FeedPosition, seen: [FeedPosition])
        /// The next page of changes, where those are told that did not change themselves.
        case relatedPage(RelatedDelta, DeltaStage.Place)
    }

    /// A delta whose own changes are told.
    struct RelatedDelta: Hashable {
        /// Where the whole delta starts.
        var since: FeedPosition
        /// The other moments at which the client was shown rows before.
        var seen: [FeedPosition]
        /// Where the last of its own changes was told: the delta link counts from here.
        var start: FeedPosition
        /// The moments after that at which pages were read.
        var pages: [FeedPosition]
    }

    var place: Place
    /// Stands for user, set, effective filter and policy, and the properties: see ``Scope``.
    var scope: [UInt8]

    var packed: [UInt8] {
        var writer = PackedWriter()
        writer.byte(1)
        writer.bytes(scope)
        switch place {
        case .page(let after, let delivered, let start, let count):
            writer.byte(count == nil ? 0 : 3)
            if let count { writer.number(count) }
            writer.number(delivered)
            writer.values(after)
            writer.bytes(start?.bytes ?? [])
        case .trackedPage(let after, let delivered, let moments, let count):
            writer.byte(count == nil ? 4 : 5)
            if let count { writer.number(count) }
            writer.number(delivered)
            writer.values(after)
            writer.positions(moments)
        case .rest(let after):
            writer.byte(8)
            writer.values(after)
        case .deltaOfLoad(let since, let seen):
            writer.byte(6)
            writer.bytes(since.bytes)
            writer.positions(seen)
        case .delta(let since):
            writer.byte(1)
            writer.bytes(since.bytes)
        case .deltaPage(let since, let after, let seen):
            writer.byte(2)
            writer.bytes(since.bytes)
            writer.bytes(after.bytes)
            writer.positions(seen)
        case .relatedPage(let delta, let place):
            writer.byte(7)
            writer.bytes(delta.since.bytes)
            writer.positions(delta.seen)
            writer.bytes(delta.start.bytes)
            writer.positions(delta.pages)
            writer.number(place.stage)
            writer.bytes(place.after?.bytes ?? [])
            writer.bytes(place.row)
            writer.bytes(place.cursor)
        }
        return writer.bytes
    }

    init(place: Place, scope: [UInt8]) {
        self.place = place
        self.scope = scope
    }

    /// Reads what ``packed`` gives; `nil` for anything else.
    init?(packed: [UInt8]) {
        var reader = PackedReader(packed)
        guard reader.byte() == 1, let scope = reader.bytes(), let kind = reader.byte() else { return nil }
        switch kind {
        case 0, 3, 4, 5:
            var total: Int?
            if kind == 3 || kind == 5 {
                guard let number = reader.number() else { return nil }
                total = number
            }
            guard let delivered = reader.number(), let after = reader.values() else { return nil }
            if kind >= 4 {
                guard let moments = reader.positions(), !moments.isEmpty else { return nil }
                place = .trackedPage(after: after, delivered: delivered, moments: moments, count: total)
            } else {
                guard let start = reader.bytes() else { return nil }
                place = .page(
                    after: after,
                    delivered: delivered,
                    start: start.isEmpty ? nil : FeedPosition(bytes: start),
                    count: total
                )
            }
        case 1:
            guard let since = reader.bytes() else { return nil }
            place = .delta(since: FeedPosition(bytes: since))
        case 2:
            guard let since = reader.bytes(), let after = reader.bytes(), let seen = reader.positions() else {
                return nil
            }
            place = .deltaPage(since: FeedPosition(bytes: since), after: FeedPosition(bytes: after), seen: seen)
        case 6:
            guard let since = reader.bytes(), let seen = reader.positions() else { return nil }
            place = .deltaOfLoad(since: FeedPosition(bytes: since), seen: seen)
        case 7:
            guard let related = reader.relatedPage() else { return nil }
            place = related
        case 8:
            guard let after = reader.values() else { return nil }
            place = .rest(after: after)
        default: return nil
        }
        guard reader.isAtEnd else { return nil }
        self.scope = scope
    }
}

extension PackedWriter {
    fileprivate mutating func values(_ values: [Value]) {
        number(values.count)
        for value in values { self.value(value) }
    }

    fileprivate mutating func positions(_ positions: [FeedPosition]) {
        number(positions.count)
        for position in positions { bytes(position.bytes) }
    }
}

extension PackedReader {
    /// A list of values, not long.
    fileprivate mutating func values() -> [Value]? {
        guard let count = number(), count < 64 else { return nil }
        var values: [Value] = []
        for _ in 0..<count {
            guard let value = value() else { return nil }
            values.append(value)
        }
        return values
    }

    /// Where the telling of what did not change itself stands.
    fileprivate mutating func relatedPage() -> LinkToken.Place? {
        guard let since = bytes(), let seen = positions(), let start = bytes(), let pages = positions(),
            let stage = number(), let after = bytes(), let row = bytes(), let cursor = bytes()
        else { return nil }
        return .relatedPage(
            LinkToken.RelatedDelta(
                since: FeedPosition(bytes: since),
                seen: seen,
                start: FeedPosition(bytes: start),
                pages: pages
            ),
            DeltaStage.Place(
                stage: stage,
                after: after.isEmpty ? nil : FeedPosition(bytes: after),
                row: row,
                cursor: cursor
            )
        )
    }

    /// A list of positions, not long.
    fileprivate mutating func positions() -> [FeedPosition]? {
        guard let count = number(), count < 64 else { return nil }
        var positions: [FeedPosition] = []
        for _ in 0..<count {
            guard let bytes = bytes() else { return nil }
            positions.append(FeedPosition(bytes: bytes))
        }
        return positions
    }
}

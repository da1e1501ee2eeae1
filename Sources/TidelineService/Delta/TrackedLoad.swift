// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Where a load whose changes are tracked stands: the moments at which its pages were read.
///
/// Rows of later pages are kept in step with the start by ``LoadFilter``. What they expand is read as it is then, so the
/// first delta also looks at what changed since each of those moments: an order that a page showed, and that is gone
/// before the first delta, was not there at the start and is not there now.
struct TrackedLoad {
    /// Pages of one load are read at so many different moments; then the rest comes at once.
    private static let momentLimit = 8

    /// Where the first page was read, then the other moments in their order.
    private(set) var moments: [FeedPosition]

    init(moments: [FeedPosition]) { self.moments = moments }

    /// Where the delta link counts from.
    var start: FeedPosition { moments[0] }

    /// Whether no page may be read at yet another moment.
    var isScattered: Bool { moments.count > Self.momentLimit }

    /// Takes note of a page that is read now.
    mutating func read(at position: FeedPosition) {
        if moments.last != position { moments.append(position) }
    }

    /// What its delta link says.
    var delta: LinkToken.Place {
        moments.count == 1 ? .delta(since: start) : .deltaOfLoad(since: start, seen: Array(moments.dropFirst()))
    }
}

extension LinkToken.Place {
    /// What a next link of a collection says.
    var continuation: (after: [Value], delivered: Int, load: TrackedLoad?, count: Int?)? {
        switch self {
        case .page(let after, let delivered, let start, let count):
            (after, delivered, start.map { TrackedLoad(moments: [$0]) }, count)
        case .trackedPage(let after, let delivered, let moments, let count):
            (after, delivered, TrackedLoad(moments: moments), count)
        case .rest(let after): (after, 0, nil, nil)
        case .delta, .deltaOfLoad, .deltaPage, .relatedPage: nil
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V8: each delta link that was given brings the rows of then to those of now, in pages of any size.
struct CursorCheck: Check {
    static let number = "V8"

    private let model: EntityModel
    /// Whether the service has forgotten changes, and says so where a link counts from before.
    private var hasForgotten = false

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .restored, .compacted, .publishedAnew:
            hasForgotten = true
            return []
        case .replayed(let replay): return look(at: replay)
        default: return []
        }
    }

    private func look(at replay: LinkReplay) -> [String] {
        let name = "the link of \(replay.set) of \(replay.time)"
        guard let folded = replay.folded else {
            return hasForgotten && replay.status == 410 ? [] : ["\(name) is answered \(replay.status)"]
        }
        return Set(folded.keys).union(replay.expected.keys).compactMap { key in
            let (mine, theirs) = (folded[key], replay.expected[key])
            guard mine != theirs else { return nil }
            let texts = [mine, theirs].map { $0.map(RowText.text) ?? "no row" }
            return "\(name) leads to \(texts[0]), the service has \(texts[1])"
        }.sorted()
    }
}

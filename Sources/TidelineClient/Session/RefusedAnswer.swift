// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// An answer to a request for a stream that is no stream: its status is 300 or more.
struct RefusedStream: Error {
    var response: TransportResponse
}

/// Keeps what a refusal says, up to a size; the pieces of any other answer pass.
final class RefusedAnswer: Sendable {
    private static let limitInBytes = 64 * 1024
    private let kept = Mutex<TransportResponse?>(nil)

    var response: TransportResponse? { kept.withLock { $0 } }

    /// Whether the piece is one of a refusal.
    func takes(_ piece: TransportPiece) -> Bool {
        kept.withLock { kept in
            switch piece {
            case .head(let head):
                if head.status.code >= 300 { kept = TransportResponse(head: head, body: []) }
            case .content(let bytes):
                let room = Self.limitInBytes - (kept?.body.count ?? 0)
                kept?.body.append(contentsOf: bytes.prefix(max(room, 0)))
            }
            return kept != nil
        }
    }
}

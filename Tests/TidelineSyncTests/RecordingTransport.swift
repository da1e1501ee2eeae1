// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient

/// A transport that keeps what was asked, and answers by a function or by another transport.
final class RecordingTransport: Transport {
    typealias Exchange = (request: HTTPRequest, body: [UInt8])

    private let exchanges = Mutex<[Exchange]>([])
    private let answer: @Sendable (HTTPRequest, [UInt8]) async throws -> TransportResponse

    init(_ answer: @escaping @Sendable (HTTPRequest, [UInt8]) async throws -> TransportResponse) {
        self.answer = answer
    }

    convenience init(_ base: any Transport) {
        self.init { try await base.send($0, body: $1) }
    }

    /// The exchanges so far, in order.
    var sent: [Exchange] { exchanges.withLock(\.self) }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        exchanges.withLock { $0.append((request, body)) }
        return try await answer(request, body)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient

/// A device's own way to a service, which can be cut while others have theirs.
final class Line: Transport {
    private let base: any Transport
    private let isCut = Mutex(false)
    private let asked = Mutex<[(request: HTTPRequest, body: [UInt8])]>([])

    init(_ base: any Transport) { self.base = base }

    /// Whether requests arrive.
    var isReachable: Bool {
        get { isCut.withLock { !$0 } }
        set { isCut.withLock { $0 = !newValue } }
    }

    /// The requests so far.
    var requests: [HTTPRequest] { asked.withLock { $0.map(\.request) } }
    /// What was sent with them.
    var bodies: [String] { asked.withLock { $0.map { String(decoding: $0.body, as: UTF8.self) } } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        asked.withLock { $0.append((request, body)) }
        guard isReachable else {
            throw ClientError(.unreachable, "The service is not reached.", advice: "Look at the connection.")
        }
        return try await base.send(request, body: body)
    }
}

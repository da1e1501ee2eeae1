// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient
import TidelineOData

/// A transport whose streams are played from a script, one after the other, and whose waits pass at once.
final class ScriptedStream: Transport {
    /// One step of a stream.
    enum Step: Sendable {
        case head(Int, String)
        case text(String)
        /// Until the test lets it go on.
        case gate
        case fail(ClientError)
        /// Until the exchange is cancelled.
        case silence
    }

    private struct State {
        var streams: [[Step]]
        var polls: [TransportResponse]
        var requests: [HTTPRequest] = []
        var waits: [Duration] = []
    }

    /// The patience that no stream of a script has to bear, unless it is told so.
    static let patience = Duration.seconds(1_000)

    private let state: Mutex<State>
    private let gates = AsyncStream.makeStream(of: Void.self)

    init(_ streams: [[Step]], polls: [TransportResponse] = []) {
        state = Mutex(State(streams: streams, polls: polls))
    }

    /// What was asked: path, and the last event that it named.
    var asked: [String] {
        state.withLock { state in
            state.requests.map { request in
                (request.path ?? "") + (request.headerFields[.lastEventID].map { " after \($0)" } ?? "")
            }
        }
    }

    /// The waits before connections.
    var waits: [Duration] { state.withLock { $0.waits } }

    /// Opens the next gate.
    func goOn() { gates.continuation.yield() }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        let answer = state.withLock { state -> TransportResponse? in
            state.requests.append(request)
            return state.polls.isEmpty ? nil : state.polls.removeFirst()
        }
        guard let answer else {
            try await Self.silence()
            throw CancellationError()
        }
        return answer
    }

    func stream(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws {
        let steps = state.withLock { state -> [Step] in
            state.requests.append(request)
            return state.streams.isEmpty ? [.silence] : state.streams.removeFirst()
        }
        for step in steps {
            switch step {
            case .head(let status, let type):
                var head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: type])
                head.headerFields[.odataVersion] = "4.01"
                try await receive(.head(head))
            case .text(let text): try await receive(.content(Array(text.utf8)))
            case .gate:
                for await _ in gates.stream { break }
                try Task.checkCancellation()
            case .fail(let error): throw error
            case .silence: try await Self.silence()
            }
        }
    }

    /// - Parameter isPatient: whether the first event of a stream is waited for without end.
    func options(isPatient: Bool = true) -> ServiceEvents.Options {
        ServiceEvents.Options(
            patience: Self.patience,
            sleep: { [self] wait in
                guard wait == Self.patience else { return state.withLock { $0.waits.append(wait) } }
                if isPatient { try await Self.silence() }
            },
            random: { 1 }
        )
    }

    private static func silence() async throws {
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        try Task.checkCancellation()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient
import TidelineModel
import TidelineService

/// A network in memory: calls a service in place, and does to chosen exchanges what networks do.
final class ServiceTransport: Transport {
    private struct State {
        var exchanges = 0
        var fault: (index: Int, kind: NetworkFault)?
        var hook: (@Sendable (Int) async throws -> Void)?
        var chance: (@Sendable (Int) -> NetworkFault?)?
    }

    typealias Answer = @Sendable (HTTPRequest, [UInt8]) throws -> TransportResponse

    private let respond: Answer
    private let state = Mutex(State())

    init(_ respond: @escaping Answer) {
        self.respond = respond
    }

    /// Everybody is nobody: for a domain that is open.
    convenience init(_ service: ODataService) {
        self.init { request, body in
            let response = service.respond(to: request, body: body, user: .anonymous)
            return TransportResponse(head: response.head, body: try response.body.all())
        }
    }

    /// The exchanges since the last call of ``begin(fault:at:)``.
    var exchanges: Int { state.withLock(\.exchanges) }

    /// Counts from zero again; the exchange at `index` meets the fault.
    func begin(fault: NetworkFault? = nil, at index: Int = 0, hook: (@Sendable (Int) async throws -> Void)? = nil) {
        state.withLock { $0 = State(fault: fault.map { (index, $0) }, hook: hook) }
    }

    /// Counts from zero again; each exchange meets what `chance` says.
    func begin(chance: @escaping @Sendable (Int) -> NetworkFault?, hook: (@Sendable (Int) async throws -> Void)? = nil)
    {
        state.withLock { $0 = State(hook: hook, chance: chance) }
    }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        let (index, fault, hook) = state.withLock { state in
            defer { state.exchanges += 1 }
            let chosen = state.fault?.index == state.exchanges ? state.fault?.kind : nil
            return (state.exchanges, state.chance?(state.exchanges) ?? chosen, state.hook)
        }
        try await hook?(index)
        switch fault {
        case nil: return try respond(request, body)
        case .dropBefore: throw interrupted
        case .refuse: throw ClientError(.unreachable, "Nobody answers there.", advice: "", isUnsent: true)
        case .dropAfter:
            _ = try respond(request, body)
            throw interrupted
        case .truncate:
            var response = try respond(request, body)
            response.body.removeLast(response.body.count / 2)
            return response
        case .duplicate:
            _ = try respond(request, body)
            return try respond(request, body)
        case .busy: return TransportResponse(head: HTTPResponse(status: .serviceUnavailable), body: [])
        case .html:
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/html"])
            return TransportResponse(head: head, body: Array("<html></html>".utf8))
        case .unauthorized: return TransportResponse(head: HTTPResponse(status: .unauthorized), body: [])
        }
    }

    private var interrupted: ClientError { ClientError(.interrupted, "Cut.", advice: "") }
}

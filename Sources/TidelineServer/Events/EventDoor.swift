// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import TidelineOData
import TidelineService

/// `GET /odata/<domain>/$events`: tells a device that there is something to pull.
///
///     GET /odata/shop/$events            a stream of events, until the server, the domain's file or the time ends it
///     GET /odata/shop/$events?wait=30    one notice, as JSON: at once where something is newer, or after the time
///
/// `Last-Event-ID` says what was told before. The route is the server's own: no name of an entity set begins with `$`.
/// Source: HTML Living Standard, section 9.2, "Server-sent events".
struct EventDoor: Sendable {
    static let path = "$events"
    /// Whether a request wants to hear of changes, as far as its target says.
    static func isAddressed(by head: HTTPRequest) -> Bool {
        guard let path = head.path?.prefix(while: { $0 != "?" }) else { return false }
        return path.hasPrefix("/odata/") && path.hasSuffix("/" + Self.path)
    }

    let finder: CallerFinder
    let hub: EventHub
    let pool: WorkerPool

    func respond(
        to request: Request,
        domain: Substring,
        _ context: ConnectionContext
    ) async throws -> Response {
        guard request.method == .get else { throw Refusal.methodNotAllowed("GET") }
        let wait = try Self.wait(request.head.path ?? "")
        let since = request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
        let credentials = try finder.credentials(request.head, domain: domain)
        let resolve = try await finder.resolver(request.head, String(domain), credentials, context)
        let caller = try await pool.run(resolve)
        let seat = try hub.seat(for: caller)
        let now = ContinuousClock().now
        let lifetime = wait.map { min(.seconds($0), hub.settings.longestWait) } ?? Self.spread(hub.settings.lifetime)
        let listener = EventListener(
            user: caller.user,
            now: now,
            deadline: now + lifetime
        )
        let turn = EventTurn(listener: listener, loaded: caller.loaded, seat: seat, since: since)
        return wait == nil ? stream(turn, context) : try await poll(turn, context)
    }

    // MARK: Long polling

    private func poll(_ turn: EventTurn, _ context: ConnectionContext) async throws -> Response {
        let membership = hub.tell(turn.listener, of: turn.loaded)
        context.onHangUp { turn.listener.end() }
        defer { context.onHangUp(nil) }
        var notice = try await turn.first(on: pool)
        steps: while turn.since != nil, notice.sets.isEmpty {
            switch try await turn.step() {
            case .tell(let later): notice = later
            case .keepAlive(let id): notice.id = id ?? notice.id
            case .end: break steps
            }
        }
        withExtendedLifetime((turn.seat, membership)) {}
        return Answer.bytes(
            notice.json,
            type: "application/json",
            fields: [.cacheControl: "no-store", .odataVersion: "4.01"],
            isHead: false
        )
    }

    // MARK: Streams

    private func stream(_ turn: EventTurn, _ context: ConnectionContext) -> Response {
        var fields: HTTPFields = [
            .contentType: StreamEvent.mediaType, .cacheControl: "no-store, no-transform", .odataVersion: "4.01",
            .xContentTypeOptions: "nosniff",
        ]
        // Or nginx would gather it.
        if let name = HTTPField.Name("X-Accel-Buffering") { fields[name] = "no" }
        let stream = EventStream(turn, hub: hub, pool: pool, context)
        return Response(status: .ok, headers: fields, body: stream.body)
    }

    /// The seconds of `wait`, or `nil` for a stream.
    ///
    /// - Throws: ``Refusal`` for what is no number of seconds.
    private static func wait(_ target: String) throws(Refusal) -> Int? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        for option in target[mark...].dropFirst().split(separator: "&") where option.hasPrefix("wait=") {
            let text = option.dropFirst(5)
            guard text.utf8.count <= 4, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let seconds = Int(text)
            else { throw Refusal(.badRequest, "InvalidQueryOption", "wait is a number of seconds from 0 to 9999.") }
            return seconds
        }
        return nil
    }

    /// Up to a fifth less, so that those who came at once do not come again at once.
    private static func spread(_ lifetime: Duration) -> Duration { lifetime * Double.random(in: 0.8...1) }
}

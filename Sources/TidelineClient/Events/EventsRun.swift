// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineOData

/// Listens until it is cancelled, by the way that ``EventCourse`` says.
struct EventsRun: Sendable {
    let client: ODataClient
    let options: ServiceEvents.Options
    let mailbox: SignalMailbox

    /// What one connection has brought, and what it goes on from.
    private final class Heard: Sendable {
        private struct State {
            var reader = StreamEventReader()
            var lastID: String?
            var hasEvent = false
        }

        private let state: Mutex<State>

        init(after lastID: String?) { state = Mutex(State(lastID: lastID)) }

        var lastID: String? { state.withLock { $0.lastID } }
        var hasEvent: Bool { state.withLock { $0.hasEvent } }

        func read(_ bytes: [UInt8]) throws -> [StreamEvent] {
            try state.withLock { state in
                let events = try state.reader.read(bytes)
                state.hasEvent = state.hasEvent || !events.isEmpty
                return events
            }
        }

        /// What was read has been told: the next connection goes on from there.
        func settle() { state.withLock { $0.lastID = $0.reader.lastID ?? $0.lastID } }
    }

    func run() async {
        var course = EventCourse()
        var lastID: String?
        var next = EventCourse.Next.listen(.stream, after: .zero)
        while case .listen(let way, let wait) = next, !Task.isCancelled {
            let outcome: EventCourse.Outcome
            do {
                if wait > .zero { try await options.sleep(wait) }
                outcome = way == .stream ? try await stream(&lastID) : try await poll(&lastID)
            } catch let error as ClientError {
                outcome = .failed(error)
            } catch {
                break
            }
            if case .failed(let error) = outcome {
                mailbox.put(ServiceSignal(isConnected: false, sets: [], error: error))
            }
            next = course.next(after: outcome, jitter: options.random())
        }
        mailbox.finish()
    }

    /// One stream, until it ends or brings nothing.
    private func stream(_ lastID: inout String?) async throws -> EventCourse.Outcome {
        let heard = Heard(after: lastID)
        let isNew = lastID == nil
        var fields: HTTPFields = [.accept: StreamEvent.mediaType]
        fields[.lastEventID] = lastID
        let request = fields
        defer { lastID = heard.lastID }
        return try await withThrowingTaskGroup(of: EventCourse.Outcome.self) { group in
            group.addTask {
                try await client.stream("$events", fields: request, answers: StreamEvent.mediaType) { bytes in
                    for event in try heard.read(bytes) { try tell(event, isNew: isNew) }
                    heard.settle()
                }
                return heard.hasEvent ? .served : .silent
            }
            group.addTask {
                repeat { try await options.sleep(options.patience) } while heard.hasEvent
                return .silent
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .silent
        }
    }

    private func poll(_ lastID: inout String?) async throws -> EventCourse.Outcome {
        var fields: HTTPFields = [.accept: "application/json"]
        fields[.lastEventID] = lastID
        let response = try await client.send(
            .get,
            "$events?wait=\(options.pollTime.components.seconds)",
            fields: fields
        )
        tell(try Self.notice(response.body), isNew: lastID == nil)
        lastID = try Self.notice(response.body).id
        return .served
    }

    private func tell(_ event: StreamEvent, isNew: Bool) throws {
        guard [StreamEvent.ready, StreamEvent.change].contains(event.name) else { return }
        tell(try Self.notice(event.data.utf8), isNew: isNew && event.name == StreamEvent.ready)
    }

    /// - Parameter isNew: whether nothing is known of what happened before it.
    private func tell(_ notice: ChangeNotice, isNew: Bool) {
        mailbox.put(ServiceSignal(isConnected: true, sets: isNew ? nil : notice.sets, eventID: notice.id))
    }

    private static func notice(_ json: some Collection<UInt8>) throws(ClientError) -> ChangeNotice {
        do throws(ODataError) {
            return try ChangeNotice(json: json)
        } catch {
            throw ODataClient.unreadable(error)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How to listen next, by how it went: a machine without clock, chance or network of its own.
///
///     way      what happened                  next
///     stream   events came, then it ended     stream, after about a second
///     stream   nothing came                   poll, at once
///     poll     answered                       poll, after a moment; after 72 in a row, stream
///     either   failed, may pass               stream, after a wait that doubles, or as long as the service asks
///     either   failed for good                none: syncs from time to time have to do
///
/// A proxy that gathers answers until they are whole brings nothing of a stream, and every poll.
struct EventCourse: Hashable, Sendable {
    /// A way to listen.
    enum Way: Hashable, Sendable {
        case stream, poll
    }

    /// How it went.
    enum Outcome: Hashable, Sendable {
        case served
        /// Not even the first event came in time.
        case silent
        case failed(ClientError)
    }

    /// What to do.
    enum Next: Hashable, Sendable {
        case listen(Way, after: Duration)
        case stop
    }

    /// The longest first wait after a failure, and the longest of all.
    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(300)
    /// About an hour of polls.
    static let pollsBeforeStream = 72

    private(set) var way = Way.stream
    private(set) var failures = 0
    private(set) var polls = 0

    /// - Parameter jitter: a random number from 0 to 1, so that many devices do not come in step.
    mutating func next(after outcome: Outcome, jitter: Double) -> Next {
        let share = 0.5 + min(max(jitter, 0), 1) / 2
        switch (outcome, way) {
        case (.served, .stream):
            failures = 0
            return .listen(.stream, after: .seconds(1) * share)
        case (.served, .poll):
            failures = 0
            polls += 1
            if polls >= Self.pollsBeforeStream { (way, polls) = (.stream, 0) }
            return .listen(way, after: .milliseconds(200) * share)
        case (.silent, .stream):
            way = .poll
            return .listen(.poll, after: .zero)
        case (.silent, .poll): return wait(asked: nil, share)
        case (.failed(let error), _):
            return Self.mayPass(error) ? wait(asked: error.retryAfter, share) : .stop
        }
    }

    private mutating func wait(asked: Duration?, _ share: Double) -> Next {
        failures += 1
        (way, polls) = (.stream, 0)
        let doubled = min(Self.firstWait * (1 << min(failures - 1, 16)), Self.longestWait)
        return .listen(.stream, after: max(doubled * share, asked ?? .zero))
    }

    /// Whether listening may succeed later; the page of a captive network passes too.
    private static func mayPass(_ error: ClientError) -> Bool { error.isTransient || error.code == .notOData }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// The requests that are answered later: `Prefer: respond-async`.
///
///     request → 202, Location: $async/ID      GET $async/ID → 202 … → the answer      DELETE $async/ID
///
/// One for all domains of a server, so that answers outlive a domain's reload. It has no threads and no clock of its
/// own: both come from outside. Answers are kept for a while after they are ready, and not on disk: after a restart a
/// monitor is not found, and the client asks again.
/// Source: OData Protocol 4.01, section 11.6.
public final class Deferral: Sendable {
    /// Runs work some time later, on a thread that may block; false when there is no room for more.
    public typealias Scheduler = @Sendable (_ work: @escaping @Sendable () -> Void) -> Bool

    enum State: Sendable {
        case waiting
        case running
        case done(ServiceResponse)
    }

    private struct Job {
        var owner: String
        var isRead: Bool
        var state: State
        /// In seconds of the clock.
        var madeAt: Int64
        /// Those who wait for the answer.
        var listeners: [@Sendable () -> Void] = []
    }

    private let run: Scheduler
    private let seconds: @Sendable () -> Int64
    private let lifetimeInSeconds: Int64
    private let limitPerOwner: Int
    private let jobs = Mutex<[String: Job]>([:])

    /// - Parameters:
    ///   - lifetimeInSeconds: how long an answer is kept, counted from the request.
    ///   - limitPerOwner: how many answers a user may have waiting; one more is answered at once.
    ///   - seconds: a clock that never goes back, in seconds.
    public init(
        lifetimeInSeconds: Int64 = 600,
        limitPerOwner: Int = 20,
        seconds: @escaping @Sendable () -> Int64,
        run: @escaping Scheduler
    ) {
        self.lifetimeInSeconds = lifetimeInSeconds
        self.limitPerOwner = limitPerOwner
        self.seconds = seconds
        self.run = run
    }

    /// Takes a request.
    ///
    /// - Parameter owner: the domain and the user: nobody else finds the job.
    /// - Returns: the id of its monitor, or `nil` when it has to be answered at once.
    func begin(owner: String, isRead: Bool, _ work: @escaping @Sendable () -> ServiceResponse) -> String? {
        let id = Self.identifier()
        let now = seconds()
        let isTaken = jobs.withLock { jobs in
            jobs = jobs.filter { now - $0.value.madeAt < lifetimeInSeconds }
            guard jobs.values.count(where: { $0.owner == owner }) < limitPerOwner else { return false }
            jobs[id] = Job(owner: owner, isRead: isRead, state: .waiting, madeAt: now)
            return true
        }
        guard isTaken else { return nil }
        let isScheduled = run { [self] in
            let isWanted = jobs.withLock { jobs in
                guard jobs[id] != nil else { return false }
                jobs[id]?.state = .running
                return true
            }
            guard isWanted else { return }
            let response = work()
            let listeners = jobs.withLock { jobs in
                jobs[id]?.state = .done(response)
                let listeners = jobs[id]?.listeners ?? []
                jobs[id]?.listeners = []
                return listeners
            }
            for listener in listeners { listener() }
        }
        if isScheduled { return id }
        jobs.withLock { jobs in _ = jobs.removeValue(forKey: id) }
        return nil
    }

    /// What became of a job, or `nil` when the user has none of that id.
    func state(_ id: String, owner: String) -> State? {
        let now = seconds()
        return jobs.withLock { jobs in
            guard let job = jobs[id], job.owner == owner, now - job.madeAt < lifetimeInSeconds else { return nil }
            return job.state
        }
    }

    /// Calls `listener` once the answer of a job is there; at once for one that is done or that there is not.
    func whenDone(_ id: String, _ listener: @escaping @Sendable () -> Void) {
        let isDone = jobs.withLock { jobs in
            switch jobs[id]?.state {
            case .waiting?, .running?:
                jobs[id]?.listeners.append(listener)
                return false
            case .done?, nil: return true
            }
        }
        if isDone { listener() }
    }

    /// Takes the answer of a job that is done, and forgets the job.
    func take(_ id: String, owner: String) -> ServiceResponse? {
        jobs.withLock { jobs in
            guard let job = jobs[id], job.owner == owner, case .done(let response) = job.state else { return nil }
            jobs[id] = nil
            return response
        }
    }

    /// What a cancellation did.
    enum Cancellation {
        case cancelled, unknown
        /// A change that has begun is not stopped.
        case tooLate
    }

    /// Forgets a job.
    ///
    /// One that waits is not begun; of a read that runs, the answer is thrown away.
    func cancel(_ id: String, owner: String) -> Cancellation {
        jobs.withLock { jobs in
            guard let job = jobs[id], job.owner == owner else { return .unknown }
            if case .running = job.state, !job.isRead { return .tooLate }
            jobs[id] = nil
            return .cancelled
        }
    }

    private static func identifier() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

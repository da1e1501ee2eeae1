// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineService

/// All connections that listen: how many there may be, and the clock that runs for them.
///
/// The clock runs while somebody listens. At each interval every domain with listeners is looked at: what other
/// processes changed is found so, and who listens to a domain whose file changed is let go, to come again.
final class EventHub: Sendable {
    /// A place among those that listen, given back when nobody has this any more.
    final class Seat: Sendable {
        private let hub: EventHub
        private let user: String?

        fileprivate init(_ hub: EventHub, user: String?) {
            self.hub = hub
            self.user = user
        }

        deinit { hub.giveBack(user) }
    }

    /// A listener's place among those of a domain.
    final class Membership: Sendable {
        private let hub: EventHub
        private let loaded: LoadedDomain
        private let number: Int

        fileprivate init(_ hub: EventHub, _ loaded: LoadedDomain, _ number: Int) {
            self.hub = hub
            self.loaded = loaded
            self.number = number
        }

        deinit {
            loaded.events.leave(number)
            hub.finish(loaded)
        }
    }

    private struct State {
        var taken = 0
        var users: [String: Int] = [:]
        /// The domains with listeners.
        var domains: [ObjectIdentifier: (loaded: LoadedDomain, listeners: Int)] = [:]
        var clock: Task<Void, Never>?
    }

    let settings: EventSettings
    private let registry: DomainRegistry
    private let pool: WorkerPool
    private let state = Mutex(State())

    init(settings: EventSettings, registry: DomainRegistry, pool: WorkerPool) {
        self.settings = settings
        self.registry = registry
        self.pool = pool
    }

    /// A place for one more.
    ///
    /// Nobody who is signed in takes more than a user's share; who is not, is counted in all.
    ///
    /// - Throws: ``Refusal`` with 429 for a user that has too many, 503 where there are too many in all.
    func seat(for caller: Caller) throws(Refusal) -> Seat {
        let user = caller.user.id.isNull ? nil : "\(caller.loaded.domain.name)\n\(caller.user.id)"
        let refusal = state.withLock { state -> Refusal? in
            guard state.taken < settings.most else { return .tooManyListeners }
            if let user {
                guard state.users[user, default: 0] < settings.mostPerUser else {
                    return .tooManyListeners(ofOneUser: settings.mostPerUser)
                }
                state.users[user, default: 0] += 1
            }
            state.taken += 1
            return nil
        }
        if let refusal { throw refusal }
        return Seat(self, user: user)
    }

    private func giveBack(_ user: String?) {
        state.withLock { state in
            state.taken -= 1
            guard let user, let count = state.users[user] else { return }
            state.users[user] = count > 1 ? count - 1 : nil
        }
    }

    /// How many listen.
    var taken: Int { state.withLock { $0.taken } }

    /// Tells a listener what changes in a domain, as long as somebody has what this returns.
    func tell(_ listener: EventListener, of loaded: LoadedDomain) -> Membership {
        let number = loaded.events.join(listener)
        begin(loaded)
        return Membership(self, loaded, number)
    }

    private func begin(_ loaded: LoadedDomain) {
        state.withLock { state in
            state.domains[ObjectIdentifier(loaded), default: (loaded, 0)].listeners += 1
            guard state.clock == nil else { return }
            // Unstructured: it lives as long as anybody listens, not as long as one request.
            state.clock = Task { [weak self, interval = settings.interval] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: interval)
                    guard let self, !Task.isCancelled else { return }
                    await self.tick(ContinuousClock().now)
                }
            }
        }
    }

    private func finish(_ loaded: LoadedDomain) {
        state.withLock { state in
            guard let listeners = state.domains[ObjectIdentifier(loaded)]?.listeners else { return }
            state.domains[ObjectIdentifier(loaded)] = listeners > 1 ? (loaded, listeners - 1) : nil
            guard state.domains.isEmpty else { return }
            state.clock?.cancel()
            state.clock = nil
        }
    }

    /// One round over the domains with listeners.
    func tick(_ now: ContinuousClock.Instant) async {
        for loaded in state.withLock({ $0.domains.values.map(\.loaded) }) {
            let registry = registry
            let isCurrent = try? await pool.run {
                guard case .loaded(let current) = registry.lookup(loaded.domain.name) else { return false }
                return current === loaded
            }
            if isCurrent == false { loaded.events.endAll() }
            loaded.events.look()
            loaded.events.tick(now, keepAlive: settings.keepAlive)
        }
    }
}

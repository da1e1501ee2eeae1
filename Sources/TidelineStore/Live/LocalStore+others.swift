// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension LocalStore {
    /// Looks whether another process, or another store over the same file, committed; live lists are told.
    ///
    /// While somebody listens that is done every ``StoreSettings/watchInterval``; an app that comes to the foreground
    /// need not wait for it. Waits for a writer of this store.
    /// - Throws: ``LocalStoreError``: `closed`, `busy`, `io`.
    public func refresh() throws { try lookForOthers() }

    /// Looks for the commits of others from time to time, as long as anybody listens.
    func watchOthers() {
        guard let interval = settings.watchInterval, broadcaster.beginWatch() else { return }
        watch(every: interval)
    }

    /// Rings a bell at every commit of this store from now on, and soon after those of others; finishes it when the
    /// store is closed.
    ///
    /// - Returns: what ``stopRinging(_:)`` takes.
    package func ring(_ bell: AsyncStream<Void>.Continuation) -> Int {
        let place = bells.add(bell)
        watchOthers()
        return place
    }

    package func stopRinging(_ place: Int) { bells.remove(place) }

    /// Whether anybody wants to know of commits.
    var isHeard: Bool { broadcaster.isHeard || !bells.isEmpty }

    private func watch(every interval: Duration) {
        later(interval) { [weak self] in
            guard let self, !self.broadcaster.endWatch(unless: { !self.bells.isEmpty }) else { return }
            // A file that is locked, or cannot be read, is looked at again at the next turn; a closed store has no
            // listeners.
            try? self.lookForOthers()
            self.watch(every: interval)
        }
    }

    /// Runs `body` on the connection of live lists, in one snapshot.
    func live<Result>(reading body: (Connection) throws -> Result) throws -> Result {
        try live.reading(layout, body)
    }
}

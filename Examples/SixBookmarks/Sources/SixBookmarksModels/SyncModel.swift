// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
import SixBookmarks
public import Tideline

/// How the device stands to the service: what waits, what met, what was refused.
///
/// It follows the engine while somebody holds it, syncs by itself where it was told to, and gives bookmarks whose place
/// was taken elsewhere another one.
@MainActor
@Observable
public final class SyncModel {
    /// The engine's own words for the state.
    public private(set) var status: SyncStatus
    /// Whether a sync that somebody asked for runs.
    public private(set) var isSyncing = false
    /// What was done last, or why it failed, until it is read: ``clearMessage()``.
    ///
    /// That a sync came to its end is not said over one that failed since.
    public var message: String? { isGood && status.lastFailure != nil ? nil : told }
    /// Whether ``message`` is of something that succeeded.
    public private(set) var isGood = false
    private var told: String?
    /// What was moved to other places, the newest at the end, until ``clearNotes()``.
    public private(set) var notes: [String] = []
    /// What two devices changed both; what lost can be brought back.
    public private(set) var conflicts: [ConflictLine] = []
    /// What the service refused; it is kept here until it is sent again or given up.
    public private(set) var refused: [RefusedLine] = []

    @ObservationIgnored private let session: BookmarkSession
    @ObservationIgnored private let rejected: @MainActor (_ reason: String) -> Void
    @ObservationIgnored private let now: () -> DateTimeOffset
    @ObservationIgnored private var flight: Task<BookmarkSync, any Error>?
    @ObservationIgnored private var following: Task<Void, Never>?
    /// The success after which the places were looked at last.
    @ObservationIgnored private var lookedAt: DateTimeOffset?
    /// How often in a row something was sent again that the service refused.
    @ObservationIgnored private var repairs = 0
    private static let mostRepairs = 5

    /// The sync of a user.
    ///
    /// - Parameters:
    ///   - now: tells the time.
    ///   - rejected: told when the service takes the sign-in no more, and why.
    /// - Throws: what reading the store throws.
    public init(
        _ session: BookmarkSession,
        now: @escaping () -> DateTimeOffset = { .now },
        rejected: @escaping @MainActor (_ reason: String) -> Void = { _ in }
    ) throws {
        self.session = session
        self.now = now
        self.rejected = rejected
        status = SyncStatus(try session.book.store.status())
        try load()
    }

    /// Follows the engine, and has it sync by itself where a schedule is given.
    public func start(_ schedule: SyncSchedule?) {
        guard following == nil else { return }
        if let schedule { session.engine.start(schedule) }
        let statuses = session.engine.status
        following = Task { [weak self] in
            for await status in statuses {
                guard let self, !Task.isCancelled else { return }
                self.take(status)
            }
        }
    }

    /// Ends following; the engine goes on.
    public func stop() {
        following?.cancel()
        following = nil
    }

    // MARK: Acting

    /// Syncs now; asked again while one runs, it waits for that one.
    ///
    /// - Returns: whether it succeeded; ``message`` tells what it did, or why it failed.
    @discardableResult
    public func syncNow() async -> Bool {
        if let flight { return (try? await flight.value) != nil }
        let flight = Task { [session] in try await session.sync() }
        self.flight = flight
        isSyncing = true
        tell(nil)
        defer {
            self.flight = nil
            isSyncing = false
        }
        do {
            let result = try await flight.value
            notes += result.moved.map(\.text)
            tell(result.text, isGood: true)
            await look()
            return true
        } catch is CancellationError {
            tell("Stopped. What was not sent waits for the next sync.")
        } catch {
            tell("\(error)")
            reject(SyncFailure(error))
        }
        await look()
        return false
    }

    /// Ends the sync that runs; what was not sent waits.
    public func cancel() { flight?.cancel() }

    /// Brings back what lost in a conflict; the next sync sends it.
    public func restore(_ conflict: ConflictLine) { act { try $0.restore(conflict: conflict.id) } }

    /// Takes a conflict out of the list and leaves things as they are.
    public func dismiss(_ conflict: ConflictLine) { act { try $0.dismiss(conflict: conflict.id) } }

    /// Sends a refused change again with the next sync.
    public func sendAgain(_ line: RefusedLine) { act { try $0.retry(quarantined: line.id) } }

    /// Gives a refused change up: the bookmark is as the service has it.
    public func giveUp(_ line: RefusedLine) { act { try $0.discard(quarantined: line.id) } }

    /// Says that the conflicts were shown to somebody.
    public func markSeen() { act { try $0.markConflictsSeen() } }

    /// Forgets the notes that were read.
    public func clearNotes() { notes = [] }

    /// Forgets the message: something else was done since, or another screen is shown.
    public func clearMessage() { tell(nil) }

    private func tell(_ text: String?, isGood: Bool = false) { (told, self.isGood) = (text, isGood) }

    // MARK: Following

    private func take(_ status: SyncStatus) {
        self.status = status
        do {
            try load()
            if let failure = status.lastFailure, !isSyncing { reject(failure) }
            try repair()
        } catch let error as LocalStoreError where error.code == .closed {
            stop()
        } catch {
            tell("\(error)")
        }
    }

    /// After each sync of the engine's own: looks whether places were taken elsewhere.
    private func repair() throws {
        guard !isSyncing, status.phase == .idle, let success = status.lastSuccess, status.lastFailure == nil else {
            return
        }
        if status.quarantined == 0, success == lookedAt { return }
        lookedAt = success
        if status.quarantined == 0 { repairs = 0 }
        guard repairs < Self.mostRepairs else { return }
        let (plan, isToBeSent) = try session.book.repairPlaces()
        notes += plan.moves.map(\.text)
        if isToBeSent { repairs += 1 }
    }

    private func reject(_ failure: SyncFailure) {
        let codes: [ClientError.Code] = [.signInRequired, .wrongCredentials]
        guard codes.map(\.rawValue).contains(failure.code) else { return }
        rejected("Your sign-in has ended at the service. Sign in again; your bookmarks are still here.")
    }

    private func act(_ body: (LocalStore) throws -> Void) {
        do {
            try body(session.book.store)
            tell(nil)
            try refresh()
        } catch {
            tell("\(error)")
        }
    }

    /// Reads what the engine will tell too, for a screen that is drawn at once.
    private func look() async {
        var statuses = session.engine.status.makeAsyncIterator()
        guard let status = await statuses.next() else { return }
        self.status = status
        do { try load() } catch { tell("\(error)") }
    }

    /// The same after something was done with the store alone.
    private func refresh() throws {
        status = SyncStatus(phase: status.phase, try session.book.store.status())
        try load()
    }

    private func load() throws {
        let store = session.book.store
        let names = try Dictionary(session.book.bookmarks().map { ($0.bookmarkId, $0.name ?? "") }) { first, _ in first
        }
        let (conflicts, refused) = (try store.conflicts(), try store.quarantined())
        self.conflicts = conflicts.map { ConflictLine($0, names: names) }
        self.refused = refused.map { RefusedLine($0, names: names) }
    }

    /// The time that texts are told from.
    var moment: DateTimeOffset { now() }
}

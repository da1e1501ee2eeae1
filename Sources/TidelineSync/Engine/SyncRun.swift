// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

/// One sync under way: carries out what the machine commands, and holds what the commands hand to each other.
///
/// Used by one task; nothing here decides.
final class SyncRun {
    let store: LocalStore
    private(set) var client: ODataClient
    let options: SyncOptions
    let board: SyncBoard
    var push = PushWork()
    var pull = PullWork()
    let heart = PullHeart()
    /// The version of the payloads that the service takes, once it is known.
    var known: ODataVersion?
    /// Whether the service was asked for its epoch, so that one that tells none is asked once.
    var isEpochAsked = false
    /// The last attempt to send, where it is sure that nothing of it was carried out, or will be.
    var undone: PushAttempt?
    /// Who the store was at the first look: the sync is of that client and that content.
    private var first: StoreIdentity?
    private let traffic = Traffic()
    private var machine: SyncMachine

    init(store: LocalStore, client: ODataClient, options: SyncOptions, board: SyncBoard) {
        self.store = store
        var client = client
        client.onExchange = { [traffic, board] in
            traffic.count(sent: $0, received: $1)
            board.answered()
        }
        self.client = client
        self.options = options
        self.board = board
        machine = SyncMachine(retry: options.retry)
    }

    /// Syncs, and keeps in the store what was done.
    func run() async throws -> SyncReport {
        let start = options.now()
        board.begin()
        do {
            let report = try await runAlive()
            await record(report, nil, since: start)
            return report
        } catch {
            // Where that fails it stays frozen, as where the app is killed: what the sync failed of is told all the same.
            try? await thaw()
            // Where the task was cancelled, the store takes no more; and there is nothing to tell a person.
            if !(error is CancellationError) { await record(machine.report, error, since: start) }
            throw error
        }
    }

    private func record(_ report: SyncReport, _ error: (any Error)?, since start: DateTimeOffset) async {
        let entry = SyncLogEntry(
            startedAt: start,
            endedAt: options.now(),
            sent: report.sent,
            received: report.received,
            merged: report.merged,
            conflicts: report.conflicts,
            quarantined: report.quarantined,
            removed: report.removed,
            bytesSent: traffic.sum.sent,
            bytesReceived: traffic.sum.received,
            failure: error.map { SyncFailure($0) }
        )
        do {
            try await store.perform { try $0.record(entry) }
            board.note(nil)
        } catch {
            // What the sync did stands, whether or not it can be noted: the disk may be full, or the store closed.
            board.note(entry.failure)
        }
    }

    /// Runs the machine, while others that sync the file see that its pull lives.
    private func runAlive() async throws -> SyncReport {
        guard let beat = options.beat else { return try await runMachine() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [heart, store] in await heart.beat(in: store, every: beat) }
            defer { group.cancelAll() }
            return try await runMachine()
        }
    }

    /// Runs the machine to its end.
    private func runMachine() async throws -> SyncReport {
        var event = SyncEvent.start
        while true {
            try Task.checkCancellation()
            var answer: SyncEvent?
            for command in machine.handle(event) {
                switch command {
                case .report(let progress): board.post(progress)
                case .finish(let report): return report
                case .fail(let error): throw error
                default: answer = try await carryOut(command)
                }
            }
            guard let answer else { preconditionFailure("The machine stopped without an end.") }
            event = answer
        }
    }

    /// Carries out a command; failures are events, but for a cancelled task.
    private func carryOut(_ command: SyncCommand) async throws -> SyncEvent {
        do {
            return try await perform(command)
        } catch let error as CancellationError {
            throw error
        } catch let fault as Fault {
            return .failed(fault, jitter: options.random())
        } catch let error as PullClaim.Lost {
            // What was received so far is another pull's by now.
            pull = PullWork()
            return .failed(Fault(error), jitter: options.random())
        } catch {
            try Task.checkCancellation()
            return .failed(Fault(error), jitter: options.random())
        }
    }

    /// Who the store was at the first look of the sync.
    func identity() async throws -> StoreIdentity {
        if let first { return first }
        return try await look()
    }

    /// Who the store is now.
    ///
    /// - Throws: ``LocalStoreError``: `busy` where its content was replaced since the first look, `foreignFile` where its
    ///   file is not in its place; ``SyncError`` `otherService` where it was moved to another address than the client's.
    func look() async throws -> StoreIdentity { try await look { _ in }.identity }

    /// Who the store is now, and right after it what else is read of it.
    ///
    /// - Throws: as ``look()``, and what `body` throws.
    func look<Content: Sendable>(
        _ body: @escaping @Sendable (LocalStore) throws -> Content
    ) async throws -> (identity: StoreIdentity, content: Content) {
        let (identity, content) = try await store.perform { store in
            try store.checkPlace()
            return (try store.identity(), try body(store))
        }
        if let origin = identity.origin, try ServiceAddress(origin.serviceURL) != client.address {
            throw SyncError(
                .otherService,
                "The store belongs to \(origin.serviceURL), and this sync is with \(client.address.text).",
                advice: "Where the store was moved, begin again: the next engine knows its address."
            )
        }
        if let first { try identity.checkContent(first.content) }
        first = first ?? identity
        client.device = identity.clientID.text
        return (identity, content)
    }

    private func perform(_ command: SyncCommand) async throws -> SyncEvent {
        switch command {
        case .readPending(let limit): return try await readPending(limit: limit)
        case .send(let isTold): return try await send(isTold: isTold)
        case .fetchCurrent: return try await fetchCurrent()
        case .settle: return try await settle()
        case .quarantineTooLarge: return try await quarantineTooLarge()
        case .prepare: return try await prepare()
        case .loadPage(let set, let link): return try await loadPage(set: set, link: link)
        case .fetchDeltas: return try await fetchDeltas()
        case .forget(let sets): return try await forget(sets)
        case .apply: return try await apply()
        case .wait(let duration):
            board.wait(until: options.now().advanced(by: duration))
            try await options.sleep(duration)
            return .waited
        case .report, .finish, .fail: preconditionFailure("Not a command that leads to an event.")
        }
    }
}

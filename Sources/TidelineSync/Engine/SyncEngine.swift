// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineClient
public import TidelineStore
import Synchronization

/// Brings a device's store and its service in step: sends what was changed here, receives what was changed there.
///
///     let engine = SyncEngine(store: store, client: client)
///     let report = try await engine.sync()
///
/// One sync runs at a time: who asks while one runs gets the report of that one. Edits made meanwhile are kept, and
/// sent with the next sync.
public final class SyncEngine: Sendable {
    let store: LocalStore
    let client: ODataClient
    let options: SyncOptions
    let board = SyncBoard()
    private let flight: SharedFlight
    /// The schedule that `start` began.
    let background = Mutex<Task<Void, Never>?>(nil)

    /// An engine for a store and the way to its service.
    public init(store: LocalStore, client: ODataClient, options: SyncOptions = SyncOptions()) {
        self.store = store
        self.client = client
        self.options = options
        flight = SharedFlight { [board] in
            try await SyncRun(store: store, client: client, options: options, board: board).run()
        } ended: { [board] in
            board.end($0)
        }
    }

    /// How far the syncs from now on come.
    ///
    /// A slow reader gets the newest alone; the stream ends with its task.
    public var progress: AsyncStream<SyncProgress> { board.watch() }

    /// How the store stands to its service: first now, then whenever that changes, by a sync, a local write or a person.
    public var status: SyncStatuses { SyncStatuses(store: store, board: board) }

    /// Why the last sync failed, where its log does not tell: the disk is full, or a person gave the sign-in up.
    package var unnotedFailure: SyncFailure? { board.unnoted }

    /// Syncs once.
    ///
    /// When every caller that waits is cancelled, the sync ends: what was not received completely leaves the store as
    /// it was, and what was sent without an answer is settled by the next sync.
    ///
    /// - Returns: what was done.
    /// - Throws: ``ClientError``, ``SyncError``, `LocalStoreError` or `CancellationError`. Nothing is lost then.
    public func sync() async throws -> SyncReport { try await flight.join() }

    /// Syncs once, beginning after the call: when another sync runs, it is awaited first.
    func syncAfresh() async throws -> SyncReport { try await flight.join(fresh: true) }

    /// Syncs in the task that calls, and shares nothing: for one that sees to it that one sync runs at a time.
    package func syncAlone() async throws -> SyncReport {
        do {
            let report = try await SyncRun(store: store, client: client, options: options, board: board).run()
            board.end(.success(report))
            return report
        } catch {
            board.end(.failure(error))
            throw error
        }
    }
}

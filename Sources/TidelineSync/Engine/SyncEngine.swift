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
    private struct Flight {
        var task: Task<SyncReport, any Error>?
        /// How many callers wait for the task.
        var waiting = 0
    }

    private let store: LocalStore
    private let client: ODataClient
    private let options: SyncOptions
    private let board = ProgressBoard()
    private let flight = Mutex(Flight())

    public init(store: LocalStore, client: ODataClient, options: SyncOptions = SyncOptions()) {
        self.store = store
        self.client = client
        self.options = options
    }

    /// How far the syncs from now on come.
    ///
    /// A slow reader gets the newest alone; the stream ends with its task.
    public var progress: AsyncStream<SyncProgress> { board.watch() }

    /// Syncs once.
    ///
    /// When every caller that waits is cancelled, the sync ends: what was not received completely leaves the store as
    /// it was, and what was sent without an answer is settled by the next sync.
    ///
    /// - Returns: what was done.
    /// - Throws: ``ClientError``, ``SyncError``, `LocalStoreError` or `CancellationError`. Nothing is lost then.
    public func sync() async throws -> SyncReport {
        let task = flight.withLock { flight in
            flight.waiting += 1
            if let task = flight.task, !task.isCancelled { return task }
            // Unstructured on purpose: several callers share it, and it ends with the last of them.
            let task = Task { [self] in
                defer { self.flight.withLock { $0 = Flight() } }
                return try await syncAlone()
            }
            flight.task = task
            return task
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            let isLast = flight.withLock { flight in
                flight.waiting -= 1
                return flight.waiting <= 0
            }
            if isLast { task.cancel() }
        }
    }

    /// Syncs in the task that calls, and shares nothing: for one that sees to it that one sync runs at a time.
    package func syncAlone() async throws -> SyncReport {
        try await SyncRun(store: store, client: client, options: options, board: board).run()
    }
}

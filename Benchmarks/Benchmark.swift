// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One row of the table of targets.
struct Benchmark: Sendable {
    let name: String
    let title: String
    /// - Parameters: the number of rows, and a folder for files.
    let measure: @Sendable (Int, URL) async throws -> [Figure]

    static let all = [
        Benchmark(name: "T1", title: "Server: a whole entity set as OData JSON", measure: WholeSet.measure),
        Benchmark(name: "T2", title: "Server: a page of 100 entities over HTTP", measure: PageLoad.measure),
        Benchmark(name: "T3", title: "Server: pushed batches of 500 rows", measure: PushLoad.measure),
        Benchmark(name: "T4", title: "Server: transactions of four rows, durable", measure: TransactionLoad.measure),
        Benchmark(name: "T5", title: "First sync into a local store", measure: FirstSync.measure),
        Benchmark(name: "T6", title: "Server: a delta of one user's changes", measure: UserDelta.measure),
        Benchmark(name: "T7", title: "Local insert of typed entities, tracked", measure: TypedInsert.measure),
        Benchmark(name: "T8", title: "Local fetch of typed entities", measure: TypedFetch.measure),
        Benchmark(name: "T9", title: "Live list: a change to its delivered batch", measure: LiveChanges.measure),
        Benchmark(name: "T10", title: "A reader's wait while a sync applies all rows", measure: ReaderWaits.measure),
        Benchmark(name: "T11", title: "From a commit to another device's store", measure: LiveDevices.measure),
        Benchmark(name: "T12", title: "Server: devices that listen", measure: IdleListeners.measure),
        Benchmark(name: "T13", title: "Opening a store with 100 transactions that wait", measure: StoreOpening.measure),
        Benchmark(name: "T14", title: "Server: a new start after kill -9", measure: Restart.measure),
        Benchmark(name: "T15", title: "Server: a filter from its text to SQL", measure: FilterCompile.measure),
        Benchmark(name: "T16", title: "Simulator: runs a second on a core", measure: SimulatedRuns.measure),
        Benchmark(name: "Outbox", title: "Sending what was written offline", measure: OutboxDrain.measure),
        Benchmark(name: "CSDL", title: "A large metadata document of another maker", measure: MetadataLoad.measure),
    ]
}

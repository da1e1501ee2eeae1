// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import TidelineService
import TidelineStorage

/// Keeps the change logs of all domains as short as their settings say, and removes the files that no row names.
struct LogKeeper: Sendable {
    /// How long to wait from one round to the next, in seconds: of a setting in days an hour is little.
    static let interval = 3_600

    let registry: DomainRegistry
    let pool: WorkerPool
    let logger: Logger

    /// One round over all domains: many small steps, each a job of its own, so that requests come in between.
    ///
    /// - Parameter now: seconds from 1970.
    /// - Throws: `CancellationError`; what fails for one domain is logged, and the next round tries again.
    func round(now: Int64) async throws {
        let registry = registry
        for (name, lookup) in try await pool.run({ registry.all() }) {
            guard case .loaded(let loaded) = lookup else { continue }
            do {
                let removed = try await compact(loaded.service, now: now)
                if removed > 0 {
                    logger.info("Change log compacted", metadata: ["domain": "\(name)", "removed": "\(removed)"])
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                ServiceReport.log("compaction", error, domain: name, to: logger)
            }
            do {
                let swept = try await pool.run { try loaded.service.sweepFiles() }
                if swept > 0 {
                    logger.info("Files swept", metadata: ["domain": "\(name)", "files": "\(swept)"])
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                ServiceReport.log("sweep", error, domain: name, to: logger)
            }
        }
    }

    private func compact(_ service: ODataService, now: Int64) async throws -> Int {
        var removed = 0
        while true {
            try Task.checkCancellation()
            let step = try await pool.run { try service.compactLog(now: now) }
            removed += step.removed
            if step.isFinished { return removed }
        }
    }
}

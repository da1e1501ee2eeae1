// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Random changes, saves, undos and redos, against a plain model in memory; 12,000 steps in all.
struct RandomContextTests {
    @Test(.covers("MD-I44", "MD-I45", "MD-I46", "MD-I66"), arguments: Seeds.chosen(or: 0..<6))
    func `a context shows what the plain model has`(seed: UInt64) throws {
        var run = try RandomContextRun(seed: seed)
        for step in 0..<2_000 {
            do {
                try run.step()
                if step % 100 == 99 { try run.compare() }
            } catch {
                Issue.record("Seed \(seed), step \(step): \(error)")
                return
            }
        }
        try run.finish()
    }
}

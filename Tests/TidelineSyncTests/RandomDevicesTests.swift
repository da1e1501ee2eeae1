// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// Two devices that do anything in any order over a network that fails at any exchange, and what must hold at the end.
///
/// A seed gives the same run again: `TIDELINE_SEEDS=17..<18 swift test --filter RandomDevicesTests`.
struct RandomDevicesTests {
    @Test(arguments: Seeds.chosen(or: 1..<13))
    func `nothing is lost, nothing happens twice, everybody ends up with the same`(seed: UInt64) async throws {
        let chance = Chance(seed)
        let run = RandomRun(try World(schema: RandomRun.schema), chance)
        let a = try await run.world.device("a")
        let b = try await run.world.device("b")
        for _ in 0..<10 {
            for device in [a, b] {
                for _ in 0..<chance.below(5) { await run.edit(device) }
                if chance.below(8) == 0 { try run.editDirectly() }
                if chance.below(3) > 0 { await run.sync(device) }
                if chance.below(6) == 0 { try run.decide(device) }
            }
        }
        try await run.settle([a, b])
        var found = try run.violations()
        for device in [a, b] {
            let waiting = try device.store.status().pendingTransactions
            if waiting > 0 { found.append("\(device.name): \(waiting) transactions wait") }
            found += try await device.verify().differences.map { "\(device.name): \($0)" }
        }
        #expect(found == [], "seed \(seed)\n\(run.trace)")
    }
}

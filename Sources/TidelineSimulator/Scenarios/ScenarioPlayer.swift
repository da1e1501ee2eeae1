// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineStorage
import TidelineStore
import TidelineSync

/// Plays a scenario to its end, whatever happens to the disks, and tells what was lost or broken on the way.
///
/// A step that failed is taken again; before it, after a crash, what was open is forgotten, the disk restarts and the
/// files are opened and looked at. What the power took of the device's writes is done again too, as a person would who
/// sees that it is not there.
struct ScenarioPlayer {
    /// What the play has to live through.
    enum Trouble {
        case none
        /// - Parameter keepsAll: whether what was acknowledged must be there without a sync too.
        case crash(keepsAll: Bool)
        /// Errors that the program goes on after.
        case fault
    }

    let world: ScenarioWorld
    let trouble: Trouble
    /// Those of the scenario, and syncs until nothing waits.
    private let steps: [Scenario.Step]
    /// What was wrong, a sentence each.
    private(set) var violations: [String] = []
    /// What the device's disk did until the end, and the service's.
    private(set) var operations: [[DiskOperation]] = []
    /// The writes that were acknowledged, in their order, by their place among the steps.
    private var acknowledged: [Int] = []
    /// How many of these are on disk whatever happens.
    private var synced = 0

    init(_ scenario: Scenario, in world: ScenarioWorld, _ trouble: Trouble) {
        steps = scenario.steps + [ScenarioPlayer.settling]
        self.world = world
        self.trouble = trouble
    }

    /// - Returns: the end, or `nil` where it was not reached; ``violations`` tells why.
    mutating func play() async -> ScenarioEnd? {
        var place = 0
        var failures = 0
        while place < steps.count {
            let step = steps[place]
            if step.forgets { forgetWrites() }
            do {
                try await step.run(world)
                try checkPower()
                acknowledge(place)
                place += 1
                failures = 0
            } catch {
                failures += 1
                guard failures < 4 else {
                    violations.append("'\(step.name)' cannot be done: \(error)")
                    return nil
                }
                guard let next = await recover(error, at: place) else { return nil }
                place = next
            }
        }
        return await finish()
    }

    /// A process that lost its power is told nothing, whatever its code made of it.
    private func checkPower() throws {
        if world.deviceDisk.isCrashed || world.serviceDisk.isCrashed { throw ScenarioFailure("The power failed.") }
    }

    private mutating func acknowledge(_ place: Int) {
        switch steps[place].kind {
        case .write: acknowledged.append(place)
        case .sync: synced = acknowledged.count
        case .act: break
        }
    }

    private mutating func forgetWrites() {
        acknowledged = []
        synced = 0
    }

    // MARK: Going on

    /// Makes the world whole again.
    ///
    /// - Returns: the step to go on with, or `nil` where that is not possible.
    private mutating func recover(_ error: any Error, at place: Int) async -> Int? {
        if case .none = trouble {
            violations.append("'\(steps[place].name)' failed: \(error)")
            return nil
        }
        do {
            if world.serviceDisk.isCrashed {
                world.dropService()
                try world.serviceDisk.restart()
                try world.startService()
            }
            var next = place
            if world.deviceDisk.isCrashed {
                world.dropDevice()
                try world.deviceDisk.restart()
                try world.openDevice()
                next = try checkWrites(before: place)
            } else if case .fault = trouble {
                checkClean(error, steps[place])
                world.deviceDisk.relieve()
                world.serviceDisk.relieve()
                try world.startService()
                try world.openDevice()
                try checkNothingLost(steps[place])
            }
            try checkSound()
            return next
        } catch {
            violations.append("'\(steps[place].name)' cannot be recovered from: \(error)")
            return nil
        }
    }

    private mutating func checkSound() throws {
        guard let store = world.store else { return }
        let check = try store.check()
        if !check.isSound { violations.append("the file is not sound: \(check.problems)") }
    }

    /// After a crash: what was acknowledged is there as far as it was promised, and nothing behind a gap.
    ///
    /// - Returns: the step to go on with: the first write that is not there any more.
    private mutating func checkWrites(before place: Int) throws -> Int {
        guard world.store != nil else {
            if !acknowledged.isEmpty { violations.append("the store is gone") }
            return place
        }
        let lost = try acknowledged.indices.filter { try !steps[acknowledged[$0]].isThere(world) }
        guard let first = lost.first else { return place }
        let names = lost.map { steps[acknowledged[$0]].name }
        if case .crash(keepsAll: true) = trouble { violations.append("a killed process lost \(names)") }
        if lost.contains(where: { $0 < synced && steps[acknowledged[$0]].isSent }) {
            violations.append("what was synced was lost: \(names)")
        }
        if lost != Array(first..<acknowledged.count) { violations.append("lost from the middle: \(names)") }
        let step = acknowledged[first]
        acknowledged.removeSubrange(first...)
        return step
    }

    /// After an error: all that was acknowledged is there, and nothing of what failed.
    private mutating func checkNothingLost(_ step: Scenario.Step) throws {
        guard world.store != nil else { return }
        let lost = try lost()
        if !lost.isEmpty { violations.append("an error lost \(lost)") }
        if step.kind == .write, try step.isThere(world) { violations.append("'\(step.name)' failed and is there") }
    }

    /// What was acknowledged and is not there.
    private func lost() throws -> [String] {
        try acknowledged.map { steps[$0] }.filter { try !$0.isThere(world) }.map(\.name)
    }

    /// Looks whether an error tells what happened, as errors of a disk do.
    private mutating func checkClean(_ error: any Error, _ step: Scenario.Step) {
        let isClean =
            switch error {
            case let error as LocalStoreError: [.full, .io, .busy].contains(error.code)
            case let error as StorageError: [.full, .io, .busy].contains(error.code)
            case let error as ClientError: error.isTransient || error.status == 507
            // What the service says of each transaction that it did not decide is in the message.
            case let error as SyncError: error.code == .unexpectedAnswer && error.message.contains("has no room left")
            default: error is ScenarioFault
            }
        if !isClean { violations.append("'\(step.name)' failed with \(type(of: error)): \(error)") }
    }

    // MARK: The end

    /// Syncs until nothing waits.
    private static let settling = Scenario.Step(kind: .sync, name: "settle") { world in
        for _ in 0..<4 {
            try await world.sync()
            if try world.device().status().pendingTransactions == 0 { return }
        }
    }

    private mutating func finish() async -> ScenarioEnd? {
        operations = [world.deviceDisk.operations, world.serviceDisk.operations]
        // What comes now is only looked at.
        world.deviceDisk.beginCounting()
        world.serviceDisk.beginCounting()
        do {
            try world.closeDevice()
            try world.stopService()
            try world.startService()
            try world.openDevice()
            try checkSound()
            let lost = try lost()
            if !lost.isEmpty { violations.append("lost in the end: \(lost)") }
            let status = try world.device().status()
            if status.pendingTransactions > 0 { violations.append("\(status.pendingTransactions) are never sent") }
            let report = try await world.verify()
            if report.differences.contains(where: { $0.kind != .pending }) {
                violations.append("device and service differ: \(report.differences)")
            }
            return ScenarioEnd(rows: try world.content(), conflicts: status.conflicts, quarantined: status.quarantined)
        } catch {
            violations.append("the end cannot be looked at: \(error)")
            return nil
        }
    }
}

/// An error that a scenario's own means met with, such as the SQL of another program.
struct ScenarioFault: Error, CustomStringConvertible {
    let cause: any Error
    var description: String { "\(cause)" }
}

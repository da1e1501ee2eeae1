// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Plays a scenario with a fault at one operation of a disk, and compares the end with that of a play without one.
///
///     let enumeration = try await FaultEnumeration(scenario)
///     for point in enumeration.points {
///         for kind in FaultKind.allCases { violations += try await enumeration.play(kind, at: point) }
///     }
package struct FaultEnumeration {
    /// All places where a disk can fail.
    package let points: [FaultPoint]
    private let scenario: Scenario
    private let stage: ScenarioStage
    private let end: ScenarioEnd
    private let ignoresSyncs: Bool

    /// Plays the scenario without a fault, to find the points and the end that it must have.
    ///
    /// - Parameter ignoresSyncs: whether the disks lie, to see that the plays notice.
    /// - Throws: where the scenario does not hold even so.
    package init(_ scenario: Scenario, ignoresSyncs: Bool = false) async throws {
        self.scenario = scenario
        self.ignoresSyncs = ignoresSyncs
        stage = try await ScenarioStage(scenario)
        var player = ScenarioPlayer(scenario, in: stage.world, .none)
        guard let end = await player.play(), player.violations.isEmpty else {
            throw ScenarioFailure("'\(scenario.name)' fails without a fault: \(player.violations)")
        }
        self.end = end
        var points: [FaultPoint] = []
        for (owner, operations) in zip([FaultPoint.Owner.device, .service], player.operations) {
            for (place, operation) in operations.enumerated() {
                points.append(
                    FaultPoint(number: points.count + 1, owner: owner, index: place + 1, operation: operation)
                )
            }
        }
        self.points = points
    }

    /// Plays one of all plays: each point once, with faults that take turns, then each with its next fault, and so on.
    ///
    /// - Parameter number: from zero to below six times the points.
    /// - Returns: what was wrong, a sentence each.
    package func play(number: Int) async throws -> [String] {
        let kinds = FaultKind.allCases
        let place = number % points.count
        return try await play(kinds[(place + number / points.count) % kinds.count], at: points[place])
    }

    /// - Returns: what was wrong, a sentence each.
    package func play(_ kind: FaultKind, at point: FaultPoint) async throws -> [String] {
        try stage.set()
        let world = stage.world
        for disk in [world.deviceDisk, world.serviceDisk] { disk.ignoreSyncs(ignoresSyncs) }
        let disk = point.owner == .device ? world.deviceDisk : world.serviceDisk
        disk.plan(kind.fault(point.number), at: point.index)
        var player = ScenarioPlayer(scenario, in: world, kind.trouble)
        let found = await player.play()
        var violations = player.violations
        if let found, found != end { violations.append(found.difference(from: end)) }
        let reached = player.operations.isEmpty ? [] : player.operations[point.owner == .device ? 0 : 1]
        if found != nil, reached.count < point.index { violations.append("the operation was not reached") }
        return violations.map { "\(scenario.name), point \(point.number), \(kind.rawValue) at \(point): \($0)" }
    }
}

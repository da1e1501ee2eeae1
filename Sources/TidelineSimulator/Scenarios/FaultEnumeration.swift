// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Plays a scenario once for each operation of each disk and each fault, and compares the ends.
///
///     for scenario in Scenario.all { report += try await FaultEnumeration(scenario, .crashes).run() }
package struct FaultEnumeration {
    /// The faults of a campaign.
    package enum Kind: String, CaseIterable, Sendable {
        /// The power fails, and the disk keeps all, what was synced, some, or a torn write.
        case crashes
        /// The disk is full, or an operation fails once.
        case faults
    }

    private let scenario: Scenario
    private let kind: Kind
    private let stride: Int
    private let phase: Int
    private let ignoresSyncs: Bool

    /// - Parameters:
    ///   - stride: plays each such point alone, one or more.
    ///   - phase: which of the points come first, from zero to below `stride`.
    ///   - ignoresSyncs: whether the disks lie, to see that the campaign notices.
    package init(_ scenario: Scenario, _ kind: Kind, stride: Int = 1, phase: Int = 0, ignoresSyncs: Bool = false) {
        self.scenario = scenario
        self.kind = kind
        self.stride = max(stride, 1)
        self.phase = phase
        self.ignoresSyncs = ignoresSyncs
    }

    /// - Parameter only: the number of the one point to play, or `nil` for all.
    package func run(only: Int? = nil) async throws -> EnumerationReport {
        var report = EnumerationReport()
        let stage = try await ScenarioStage(scenario)
        var player = ScenarioPlayer(scenario, in: stage.world, .none)
        guard let end = await player.play(), player.violations.isEmpty else {
            report.violations = player.violations.map { "\(scenario.name): without a fault: \($0)" }
            return report
        }
        var number = 0
        for (disk, operations) in player.operations.enumerated() {
            for index in operations.indices {
                for fault in faults(index) {
                    number += 1
                    guard only.map({ $0 == number }) ?? (number % stride == phase % stride) else { continue }
                    report.points += 1
                    let found = try await play(fault, disk, index + 1, stage, end)
                    let place = disk == 0 ? "device" : "service"
                    report.violations += found.map {
                        "\(scenario.name), point \(number): \(fault) at \(index + 1) of the \(place), "
                            + "\(operations[index]): \($0)"
                    }
                }
            }
        }
        return report
    }

    private func faults(_ index: Int) -> [DiskFault] {
        switch kind {
        case .crashes: [.crash(.all), .crash(.synced), .crash(.some(seed: UInt64(index))), .crash(.torn)]
        case .faults: [.full, .failure]
        }
    }

    /// - Returns: what was wrong.
    private func play(
        _ fault: DiskFault,
        _ disk: Int,
        _ index: Int,
        _ stage: ScenarioStage,
        _ end: ScenarioEnd
    ) async throws -> [String] {
        try stage.set()
        let world = stage.world
        for disk in [world.deviceDisk, world.serviceDisk] { disk.ignoreSyncs(ignoresSyncs) }
        (disk == 0 ? world.deviceDisk : world.serviceDisk).plan(fault, at: index)
        var trouble = ScenarioPlayer.Trouble.fault
        if case .crash(let keeping) = fault { trouble = .crash(keeping) }
        var player = ScenarioPlayer(scenario, in: world, trouble)
        let found = await player.play()
        var violations = player.violations
        if let found, found != end { violations.append(found.difference(from: end)) }
        return violations
    }
}

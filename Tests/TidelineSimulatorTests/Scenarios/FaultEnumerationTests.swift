// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
@testable import TidelineSimulator
import TidelineTestSupport

/// A few of the points of each scenario; `tideline simulate --disk` plays all.
@Suite(.ownThread)
struct FaultEnumerationTests {
    static let names = Scenario.all.map(\.name)

    private static func enumeration(_ name: String, ignoresSyncs: Bool = false) async throws -> FaultEnumeration {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        return try await FaultEnumeration(scenario, ignoresSyncs: ignoresSyncs)
    }

    @Test func `there are at least twenty scenarios, each with a name of its own`() {
        #expect(Set(Self.names).count == Self.names.count)
        #expect(Self.names.count >= 20)
    }

    /// Twelve points of each, as far from each other as can be, and each fault at two of them.
    @Test(arguments: names)
    func `a fault of a disk at any operation is told, and loses nothing that was promised`(name: String) async throws {
        let enumeration = try await Self.enumeration(name)
        let kinds = FaultKind.allCases
        let count = kinds.count * 2
        for number in 0..<count {
            let point = try #require(enumeration.points.dropFirst(number * enumeration.points.count / count).first)
            let violations = try await enumeration.play(kinds[number % kinds.count], at: point)
            #expect(violations == [], "\(violations)")
        }
    }

    @Test func `the points are those of both disks, numbered from one`() async throws {
        let points = try await Self.enumeration("push").points
        #expect(points.map(\.number) == Array(1...points.count))
        for owner in [FaultPoint.Owner.device, .service] {
            let own = points.filter { $0.owner == owner }
            #expect(own.map(\.index) == Array(1...own.count))
            #expect(Set(own.map(\.operation.kind)).isSuperset(of: [.write, .sync]))
        }
    }

    @Test func `a scenario that is over leaves no folder behind`() async throws {
        let push = try #require(Scenario.all.first { $0.name == "push" })
        var stage: ScenarioStage? = try await ScenarioStage(push)
        let folders = stage.map { [$0.world.deviceDisk.folder, $0.world.serviceDisk.folder] } ?? []
        #expect(folders.count == 2 && folders.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        stage = nil
        #expect(!folders.contains { FileManager.default.fileExists(atPath: $0) })
    }

    @Test func `disks whose syncs do nothing are found out`() async throws {
        let enumeration = try await Self.enumeration("push", ignoresSyncs: true)
        var violations: [String] = []
        for point in enumeration.points.filter({ $0.owner == .device }).suffix(4) {
            violations += try await enumeration.play(.unsynced, at: point)
        }
        #expect(violations.contains { $0.contains("what was synced was lost") }, "\(violations)")
    }
}

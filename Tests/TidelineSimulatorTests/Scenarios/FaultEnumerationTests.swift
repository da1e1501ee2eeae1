// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineSimulator

/// Scenarios with a fault at each so-manyth operation; `TIDELINE_STRIDE=1` plays all points.
struct FaultEnumerationTests {
    private static func stride(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["TIDELINE_STRIDE"].flatMap { Int($0) } ?? usual
    }

    static let names = Scenario.all.map(\.name)

    @Test func `there are at least twenty scenarios, each with a name of its own`() {
        #expect(Set(Self.names).count == Self.names.count)
        #expect(Self.names.count >= 20)
    }

    @Test(arguments: names)
    func `a power failure at any operation loses nothing that was promised`(name: String) async throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        let report = try await FaultEnumeration(scenario, .crashes, stride: Self.stride(101)).run()
        #expect(report.points > 0)
        #expect(report.violations == [], "\(report.points) points of '\(name)'")
    }

    @Test(arguments: names)
    func `an error of the disk at any operation is told, and loses nothing`(name: String) async throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        let report = try await FaultEnumeration(scenario, .faults, stride: Self.stride(53)).run()
        #expect(report.points > 0)
        #expect(report.violations == [], "\(report.points) points of '\(name)'")
    }

    @Test func `disks whose syncs do nothing are found out`() async throws {
        let scenario = try #require(Scenario.all.first { $0.name == "push" })
        let report = try await FaultEnumeration(scenario, .crashes, stride: 7, ignoresSyncs: true).run()
        #expect(report.violations != [])
    }
}

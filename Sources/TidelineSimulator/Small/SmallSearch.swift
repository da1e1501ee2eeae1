// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Tries every order of a few writes, messages and faults of two devices: from each state each step, breadth first.
///
///     let report = try await SmallSearch(writes: 3, faults: 2).run()
///
/// Syncs are not counted: they lead to known states soon.
package struct SmallSearch {
    private let mostStates: Int
    private let isDue: @Sendable (_ states: Int) -> Bool
    private let writes: Int
    private let faults: Int
    let transitions: SmallTransitions
    let settling: SmallSettling
    var report = SmallReport()
    private var numbers: [SmallPosition: Int32] = [:]
    private var positions: [SmallPosition] = []
    /// For each state that from which it was found first, and by which step.
    private var origins: [(state: Int32, step: SmallStep?)] = []
    /// After so many violations the search ends.
    private static let mostViolations = 3

    /// - Parameters:
    ///   - writes: how many the two make together, up to 8.
    ///   - faults: how many things go wrong at most.
    ///   - mostStates: ends the search, which is not complete then.
    ///   - isDue: ends the search too when it answers yes; it is told before each state how many are done.
    package init(
        writes: Int,
        faults: Int,
        mostStates: Int = .max,
        isDue: @escaping @Sendable (_ states: Int) -> Bool = { _ in false }
    ) throws {
        precondition((0...SmallText.most).contains(writes), "A device has names for 8 texts.")
        self.writes = writes
        self.faults = faults
        self.mostStates = mostStates
        self.isDue = isDue
        transitions = SmallTransitions(try SmallWorld())
        settling = SmallSettling(transitions)
    }

    package mutating func run() async throws -> SmallReport {
        let (devices, service) = try await transitions.begin()
        let beginning = SmallPosition(devices: devices, service: service, writes: writes, faults: faults)
        try await add(beginning, from: 0, nil)
        var next = 0
        while next < positions.count {
            guard positions.count < mostStates, !isDue(next), report.violations.count < Self.mostViolations else {
                report.isComplete = false
                break
            }
            let position = positions[next]
            for device in 0..<2 { try await takeSteps(of: device, in: position, Int32(next)) }
            try await takeArrivals(in: position, Int32(next))
            next += 1
        }
        report.states = positions.count
        report.deviceContents = transitions.devices.count
        report.serviceContents = transitions.services.count
        report.runs = transitions.runs
        report.answers = transitions.replyCount
        return report
    }

    /// Takes in the state that a step led to.
    mutating func add(_ position: SmallPosition, from origin: Int32, _ step: SmallStep?) async throws {
        if step != nil { report.steps += 1 }
        guard numbers[position] == nil else { return }
        let number = Int32(positions.count)
        numbers[position] = number
        positions.append(position)
        origins.append((origin, step))
        let wrongs = try await wrongs(of: position)
        if !wrongs.isEmpty { report.violations.append(chart(number, wrongs)) }
    }

    /// The steps that led to a state, and what is wrong with it.
    private func chart(_ number: Int32, _ wrongs: [Violation]) -> String {
        var steps: [SmallStep] = []
        var place = number
        while let step = origins[Int(place)].step {
            steps.append(step)
            place = origins[Int(place)].state
        }
        var trace = Trace()
        for (second, step) in steps.reversed().enumerated() {
            let time = SimulatedTime.start.advanced(by: .seconds(second + 1))
            trace.add(time, step.event.node, step.event.text)
        }
        let outcome = Outcome(
            seed: 0,
            hash: trace.hash,
            statistics: Statistics(),
            violations: wrongs.map { Violation($0.number, $0.message, at: trace.lines.last?.time ?? .start) },
            trace: trace.lines,
            rows: []
        )
        return MessageChart(outcome).text
    }
}

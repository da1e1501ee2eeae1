// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineSimulator

/// `tideline simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Try the sync engine against faults: devices, a service and a network in one process.",
        discussion: """
            A seed decides everything: how many devices there are, what people change and
            when, what the network loses, who is killed. At the end the faults cease, and
            every device must hold what the service holds; nothing may be lost, done twice
            or half, or wait for ever.

            Many seeds, the first of them given:
              tideline simulate --seeds 1000 --seed 1

            On from where a ledger ends, for so long, on two processors; all runs add up:
              tideline simulate --minutes 30 --ledger simulated.json --jobs 2

            One seed once more. What fails is told with the events that led there, all left
            out that it fails without:
              tideline simulate --seed 17

            Instead of seeds, the disks: scripted scenarios of a device and a service, each
            played again for every operation of either disk (write, sync, truncation and
            others) and each fault there: the process is killed, or the power fails with
            nothing, some or half a write left of what was not synced; the disk is full,
            or the operation fails. A ledger goes on where it ended; without --scenario
            all scenarios are played:
              tideline simulate --disk --ledger disk.json --minutes 20
              tideline simulate --disk --scenario push
              tideline simulate --disk --scenario push --point 17

            Instead of chance, everything: two devices with two rows, and every order of
            a few writes, messages and faults, each state once, until all is seen or time
            is over:
              tideline simulate --small --writes 2 --faults 1
              tideline simulate --small --minutes 15

            Ctrl-C lets what runs come to its end, and tells what came of it; all that was
            run is in the ledger. The exit status is 0 only when nothing failed, and all
            was run that was asked for.
            """
    )

    @Option(help: ArgumentHelp("How many seeds to run.", valueName: "number")) var seeds: Int?
    @Option(help: ArgumentHelp("The seed, or the first of several.", valueName: "seed")) var seed: UInt64?
    @Option(help: ArgumentHelp("Begin no seed after so many minutes.", valueName: "minutes")) var minutes: Int?
    @Option(help: ArgumentHelp("The file that adds up what was run.", valueName: "file")) var ledger: String?
    @Option(help: ArgumentHelp("How many processes to run.", valueName: "number")) var jobs: Int = 1
    @Option(help: ArgumentHelp("What is run: usual, long or measured.", valueName: "name")) var profile = "usual"
    @Flag(help: "Play scenarios with faults of the disks.") var disk = false
    @Option(help: ArgumentHelp("With --disk: one scenario.", valueName: "name")) var scenario: String?
    @Option(help: ArgumentHelp("With --scenario: one operation.", valueName: "number")) var point: Int?
    @Flag(help: "Try every order of a few writes, messages and faults.") var small = false
    @Option(help: ArgumentHelp("With --small: how many writes.", valueName: "number")) var writes: Int = 3
    @Option(help: ArgumentHelp("With --small: how many faults.", valueName: "number")) var faults: Int = 2
    @Flag(help: .hidden) var worker = false

    func validate() throws {
        guard (seeds ?? 1) >= 1 else { throw ValidationError("--seeds is 1 or more.") }
        guard (minutes ?? 1) >= 1 else { throw ValidationError("--minutes is 1 or more.") }
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs is from 1 to 256.") }
        guard Profile.named(profile) != nil else {
            throw ValidationError("--profile is one of: \(Profile.all.map(\.name).joined(separator: ", ")).")
        }
        guard (0...8).contains(writes), (0...8).contains(faults) else {
            throw ValidationError("--writes and --faults are from 0 to 8.")
        }
        guard !(disk && small) else { throw ValidationError("Give --disk or --small.") }
        if disk { return try validateDisk() }
        guard scenario == nil, point == nil else { throw ValidationError("--scenario and --point are of --disk.") }
        if small { return try validateSmall() }
        guard seed != nil || seeds != nil || minutes != nil || worker else {
            throw ValidationError("Give --seeds, --minutes, --seed, --disk or --small.")
        }
        guard ledger == nil || seeds != nil || minutes != nil else {
            throw ValidationError("One seed is added to no ledger: give --seeds or --minutes too.")
        }
    }

    private func validateSmall() throws {
        guard ledger == nil else {
            throw ValidationError("--small takes no ledger: a search begins anew each time. Give it more --minutes.")
        }
        guard seed == nil, seeds == nil else { throw ValidationError("--small takes no seeds: it tries everything.") }
    }

    private func validateDisk() throws {
        guard seed == nil, seeds == nil else { throw ValidationError("--disk takes no seeds: it plays all points.") }
        guard point == nil || scenario != nil else { throw ValidationError("--point is of a --scenario.") }
        guard let scenario, !Scenario.all.contains(where: { $0.name == scenario }) else { return }
        let names = Scenario.all.map { "'\($0.name)'" }.joined(separator: ", ")
        throw ValidationError("--scenario is one of: \(names).")
    }

    func run() async throws {
        guard let profile = Profile.named(profile) else { return }
        SteadyHashing.require()
        do {
            if worker {
                try SimulationWorker(profile: profile).run()
            } else if disk {
                try await playDisks()
            } else if small {
                let campaign = SmallCampaign(writes: writes, faults: faults)
                try await CampaignEnd.running(minutes: minutes) { try await campaign.run(until: $0) }
            } else if let seed, seeds == nil, minutes == nil {
                try SimulatedSeed(seed: seed, profile: profile).show()
            } else {
                let campaign = try campaign(profile)
                try await CampaignEnd.running(minutes: minutes) { end in
                    var campaign = campaign
                    try await campaign.run(until: end)
                }
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("The simulation could not be run.", why: SystemReason.text(error))
        }
    }

    private func playDisks() async throws {
        let scenarios = Scenario.all.filter { scenario == nil || $0.name == scenario }
        if let point, let only = scenarios.first { return try await DiskCampaign.show(point, of: only) }
        let known = try ledger.flatMap { try LedgerFile(path: $0).read { try DiskLedger(path: $0) } }
        let path = ledger
        try await CampaignEnd.running(minutes: minutes) { end in
            var campaign = DiskCampaign(ledger: known ?? DiskLedger(), path: path, scenarios: scenarios)
            try await campaign.run(until: end)
        }
    }

    private func campaign(_ profile: Profile) throws -> SimulationCampaign {
        var counted = CampaignLedger(profile: profile.name)
        if let ledger, let known = try LedgerFile(path: ledger).read({ try CampaignLedger(path: $0) }) {
            counted = known
        }
        guard counted.profile == profile.name else {
            throw CommandFailure(
                "The ledger is of the profile \(counted.profile).",
                next: "Give --profile \(counted.profile), or another file."
            )
        }
        if let seed { counted.next = seed }
        return SimulationCampaign(ledger: counted, path: ledger, seeds: seeds, jobs: jobs)
    }
}

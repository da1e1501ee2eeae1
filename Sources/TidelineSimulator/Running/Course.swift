// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// What happens in a run, one event after another, and how it comes to its end.
final class Course: Sendable {
    private struct State {
        var isFinished = false
        var copy: ServiceCopy?
    }

    let world: World
    private let schedule: Schedule
    private let state: Confined<State>

    var isFinished: Bool { state.isFinished }
    /// The newest copy of the service.
    var copy: ServiceCopy? {
        get { state.copy }
        set { state.copy = newValue }
    }

    init(world: World, schedule: Schedule) {
        self.world = world
        self.schedule = schedule
        state = Confined(State(), to: world.loop)
    }

    var loop: Loop { world.loop }

    func run() async {
        do {
            for device in world.devices { try await device.clone(from: world.service.address) }
            for event in schedule.events {
                try await loop.sleep(for: max(event.time.since(loop.now), .zero))
                try perform(event)
            }
            try await Settling(world: world, course: self).run()
        } catch {
            world.violate("run", "The run ended early: \(error)")
        }
        state.isFinished = true
    }

    private func perform(_ event: ScheduledEvent) throws {
        switch event.kind {
        case .edit(let device): try edit(world.devices[device], event.number)
        case .sync(let place):
            let device = world.devices[place]
            loop.start { _ = await self.sync(device) }
        case .kill(let device, let pause): kill(world.devices[device], pause)
        case .decide(let device): try decide(world.devices[device], event.number)
        case .network(let device, let conditions):
            world.note(world.devices[device].name, "network: \(conditions)")
            world.setConditions(conditions, of: device)
        case .direct: try writeDirectly(event.number)
        case .restart(let pause): restart(pause)
        case .suspend(let device, let pause): suspend(world.devices[device], pause)
        case .clock(let device, let seconds): jump(device, seconds)
        case .compact(let entries): try compact(to: entries)
        case .backup: try backup(event.number)
        case .restore: try restore()
        case .publishAnew: try publishAnew()
        case .move: try move()
        case .breakSet(let place, let pause): breakSet(place, pause)
        case .copy(let from, let to): try copy(world.devices[from], to: world.devices[to])
        }
    }

    // MARK: On a device

    private func edit(_ device: DeviceNode, _ number: Int) throws {
        guard let store = device.store else { return }
        var chance = Chance(world.seed, "edit", number)
        let isMarked = chance.once(in: 2)
        var editor = Editor(event: number, user: device.user, chance: chance)
        do {
            let model = world.service.model
            let before = try NodeState(store, model: model)
            let done = try store.write { try editor.edit($0, isMarked: isMarked) }
            world.statistics.transactions += 1
            var record = WriteRecord(author: device.name, event: number, isMarked: isMarked)
            record.rebuilt = editor.rebuilt
            record.note(from: before, to: try NodeState(store, model: model), model)
            world.commit(record)
            try world.lookAtLists(of: device)
            world.note(device.name, "w\(number): \(done.joined(separator: "; "))")
        } catch let error as LocalStoreError where Course.isRefusal(error) {
            world.statistics.refused += 1
            world.note(device.name, "w\(number) refused: \(ErrorText.text(error))")
        }
    }

    /// Whether a store says no to what a person wants, and has no failure of its own.
    private static func isRefusal(_ error: LocalStoreError) -> Bool {
        !error.failures.isEmpty || ![.io, .corrupt, .full, .closed, .busy, .modelChanged].contains(error.code)
    }

    /// - Returns: whether it succeeded; `nil` where none was made.
    func sync(_ device: DeviceNode) async -> Bool? {
        guard device.store != nil, !device.isSyncing else { return nil }
        var succeeded: Bool?
        do {
            world.statistics.syncs += 1
            world.look(at: .syncing(device: device.name, isDone: false))
            guard let report = try await device.sync(with: world.service.address) else { return nil }
            world.statistics.quarantined += report.quarantined
            world.statistics.conflicts += report.conflicts
            world.statistics.merged += report.merged
            world.note(
                device.name,
                "synced: sent \(report.sent), received \(report.received), removed \(report.removed), merged "
                    + "\(report.merged), conflicts \(report.conflicts), quarantined \(report.quarantined)"
            )
            world.look(at: .syncing(device: device.name, isDone: true))
            succeeded = true
        } catch {
            world.statistics.failedSyncs += 1
            world.note(device.name, "sync failed: \(ErrorText.text(error))")
            succeeded = false
        }
        do { try world.look(at: device) } catch { world.violate("run", "\(device.name) cannot be read: \(error)") }
        return succeeded
    }

    private func kill(_ device: DeviceNode, _ pause: Duration) {
        guard device.store != nil else { return }
        world.statistics.kills += 1
        world.note(device.name, "killed")
        device.kill()
        loop.at(loop.now.advanced(by: pause)) { self.open(device) }
    }

    func open(_ device: DeviceNode) {
        guard device.store == nil else { return }
        do {
            try device.open()
            world.note(device.name, "started")
            try world.look(at: device)
        } catch {
            world.violate("V1", "\(device.name) cannot be opened: \(error)")
        }
    }

    /// The codes of what may have been done already, by another copy of the file or without an answer.
    private static let codesOfDone: Set<String> = [
        "ConflictOfCopy", "AlreadyDecided", "RepeatabilityMismatch", "OutcomeUnknown", "Undecided",
    ]

    private func decide(_ device: DeviceNode, _ number: Int) throws {
        guard let store = device.store else { return }
        var chance = Chance(world.seed, "decide", number)
        guard let entry = chance.element(try store.quarantined()) else { return }
        // Sent again, what was done already would be there twice, and so it should.
        let mayBeDone = try store.quarantined().contains { Course.codesOfDone.contains($0.code) }
        if chance.once(in: 2), !mayBeDone {
            world.note(device.name, "retries \(entry.number), \(entry.code)")
            let before = try store.quarantined()
            try store.retry(quarantined: entry.id)
            let left = Set(try store.quarantined().map(\.id))
            world.hold(before.filter { !left.contains($0.id) }.flatMap(\.changes), on: device)
        } else {
            try discard(entry, device)
        }
    }

    /// Gives a transaction up, and those that build on it.
    func discard(_ entry: QuarantinedTransaction, _ device: DeviceNode) throws {
        guard let store = device.store else { return }
        world.note(device.name, "discards \(entry.number), \(entry.code)")
        let before = try store.quarantined()
        let ids = try store.discard(quarantined: entry.id)
        world.giveUp(before.filter { ids.contains($0.id) }.flatMap(\.changes))
        try world.look(at: device)
    }

    // MARK: On the service

    private func writeDirectly(_ number: Int) throws {
        guard world.service.isUp else { return }
        var writer = DirectWriter(event: number, model: world.service.model, seed: world.seed)
        do {
            var done = try writer.write(to: world.service.store)
            var other = Chance(world.seed, "other program", number)
            if world.service.isFile, other.once(in: 3) {
                done += "; " + (try OtherProgram.write(to: world.service.path, event: number, &other))
            }
            world.statistics.directs += 1
            world.commit(WriteRecord(author: "direct", event: number, isMarked: false))
            world.note("service", "w\(number) directly: \(done)")
            try world.lookAtService()
        } catch let error as StorageError {
            world.note("service", "w\(number) refused: \(ErrorText.text(error))")
        }
    }

    private func restart(_ pause: Duration) {
        guard world.service.isUp else { return }
        world.statistics.restarts += 1
        world.note("service", "stops")
        world.service.stop()
        loop.at(loop.now.advanced(by: pause)) { self.startService() }
    }

    func startService() {
        guard !world.service.isUp else { return }
        do {
            try world.service.start()
            world.note("service", "starts")
            try world.lookAtService()
        } catch {
            world.violate("run", "The service does not start: \(error)")
        }
    }
}

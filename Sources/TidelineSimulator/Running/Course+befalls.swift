// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineClient
import TidelineModel
import TidelineStorage

/// What befalls nodes rarely.
extension Course {
    func suspend(_ device: DeviceNode, _ pause: Duration) {
        guard device.store != nil else { return }
        world.statistics.suspensions += 1
        world.note(device.name, "off for \(pause)")
        device.kill()
        world.loop.at(world.loop.now.advanced(by: pause)) { self.open(device) }
    }

    func jump(_ device: Int?, _ seconds: Int64) {
        world.statistics.clockJumps += 1
        world.note(device.map { world.devices[$0].name } ?? "service", "the clock jumps by \(seconds) s")
        world.clocks.jump(device, by: seconds)
    }

    func compact(to entries: Int) throws {
        guard world.service.isUp else { return }
        let removed = try world.service.compact(to: entries)
        guard removed > 0 else { return }
        world.statistics.compactions += 1
        world.note("service", "\(removed) entries of the change log go")
        world.look(at: .compacted)
    }

    /// Lets the service fail to read one of the sets that show no parts of transactions: while it does, devices hold the
    /// others as they are now.
    func breakSet(_ place: Int, _ pause: Duration) {
        let sets = world.service.model.sets.map(\.names.wire).filter { ![Regatta.events, Regatta.echoes].contains($0) }
        let set = sets[place % sets.count]
        world.statistics.brokenSets += 1
        world.note("service", "cannot read \(set)")
        world.service.brokenSets.insert(set)
        world.loop.at(world.loop.now.advanced(by: pause)) { [world] in
            guard world.service.brokenSets.remove(set) != nil else { return }
            world.note("service", "can read \(set)")
        }
    }

    /// Takes the domain away and publishes it again: the service remembers nothing of what devices sent.
    func publishAnew() throws {
        guard world.service.isUp, world.service.isFile else { return }
        try world.service.publishAnew()
        world.statistics.publications += 1
        world.note("service", "is published anew")
        try world.publishedAnew()
    }

    /// Gives the service another address: devices learn of it when they sync next, and follow.
    func move() throws {
        world.statistics.moves += 1
        try world.service.move()
        world.note("service", "is at \(world.service.address.authority)")
    }

    func backup(_ number: Int) throws {
        guard world.service.isUp else { return }
        copy = try world.service.copy(number)
        world.note("service", "is copied")
    }

    func restore() throws {
        guard world.service.isUp, let copy else { return }
        let before = try NodeState(world.service.store)
        try world.service.restore(copy)
        world.statistics.restores += 1
        world.note("service", "goes back to its copy")
        try world.restored(from: before)
    }

    /// Puts the file of one device in the place of another one's, while neither app runs.
    func copy(_ source: DeviceNode, to target: DeviceNode) throws {
        guard source.store != nil, target.store != nil else { return }
        world.statistics.copies += 1
        world.note(target.name, "gets a copy of the file of \(source.name)")
        for device in [source, target] { device.kill() }
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: target.path + suffix)
            guard FileManager.default.fileExists(atPath: source.path + suffix) else { continue }
            try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
        }
        world.replaced(target, by: source)
        for device in [source, target] { open(device) }
    }
}

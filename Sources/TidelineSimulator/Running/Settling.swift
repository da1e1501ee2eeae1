// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStore
import TidelineSync

/// The end of a run: all faults cease, everybody syncs until nothing waits, and all is compared.
struct Settling {
    let world: World
    let course: Course

    /// The longest that one sync may take without faults: three times the longest wait.
    static let mostTime = RetryPolicy().longest * 3
    /// The most exchanges of one sync without faults, many pages included.
    static let mostExchanges = 2_000

    func run() async throws {
        world.note("check", "faults end")
        for device in world.devices { world.setConditions(.good, of: device.index) }
        course.startService()
        world.service.brokenSets = []
        for device in world.devices { course.open(device) }
        // What was begun at this moment begins first.
        try await world.loop.sleep(for: .seconds(1))
        var wasQuiet = false
        for round in 0..<6 {
            for device in world.devices {
                guard try await settle(device, isDeciding: round > 0) else { return }
            }
            // One round more, in which each takes what the others sent in the last.
            let isQuiet = try isQuiet()
            if isQuiet, wasQuiet { break }
            wasQuiet = isQuiet
        }
        try compare()
    }

    /// Waits for the syncs that began under faults.
    private func runningSyncsEnd() async throws -> Bool {
        for _ in 0..<200 where world.devices.contains(where: \.isSyncing) {
            try await world.loop.sleep(for: .seconds(1))
        }
        guard let stuck = world.devices.first(where: \.isSyncing) else { return true }
        world.violate("V15", "\(stuck.name): a sync that began under faults does not end")
        return false
    }

    private func settle(_ device: DeviceNode, isDeciding: Bool) async throws -> Bool {
        while isDeciding, let entry = try device.store?.quarantined().first { try course.discard(entry, device) }
        // One that began just before is of the same start.
        guard try await runningSyncsEnd() else { return false }
        let begin = world.loop.now
        let exchanges = world.exchanges
        guard await course.sync(device) == true else {
            world.violate("V15", "\(device.name): a sync fails though nothing is wrong any more")
            return false
        }
        if world.loop.now.since(begin) > Settling.mostTime {
            world.violate("V15", "\(device.name): a sync takes \(world.loop.now.since(begin)) though nothing is wrong")
        }
        if world.exchanges - exchanges > Settling.mostExchanges {
            world.violate("V15", "\(device.name): a sync takes \(world.exchanges - exchanges) exchanges")
        }
        return true
    }

    private func isQuiet() throws -> Bool {
        try world.devices.allSatisfy { device in
            guard let status = try device.store?.status() else { return false }
            return status.pendingTransactions == 0 && status.quarantined == 0
        }
    }

    private func compare() throws {
        let service = try NodeState(world.service.store)
        let model = world.service.model
        let devices = try world.devices.compactMap { device -> Observation.QuietDevice? in
            guard let store = device.store else { return nil }
            let status = try store.status()
            var quiet = Observation.QuietDevice(
                name: device.name,
                state: try NodeState(store, model: model),
                expected: world.scope(service, of: device.user),
                pending: status.pendingTransactions + status.quarantined
            )
            quiet.conflicts = try store.conflicts()
            quiet.leftovers = try leftovers(device)
            return quiet
        }
        world.last = service
        world.look(at: .service(service))
        world.look(at: .quiet(service: service, devices: devices))
        try replayLinks(service)
    }

    /// Follows delta links of the past.
    private func replayLinks(_ service: NodeState) throws {
        for (place, link) in world.links.links.enumerated() {
            let now = world.scope(service, of: link.user)
            // Pages of other sizes than those that the devices asked for.
            let replay = try world.links.replay(link, pageRows: 1 + place * 3, now: now) {
                try world.service.answer($0, [], user: $1)
            }
            if let replay { world.look(at: .replayed(replay)) }
        }
    }

    /// What a device's file holds of syncs that are over.
    private func leftovers(_ device: DeviceNode) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: device.path, configuration: configuration)
        defer { try? file.close() }
        return try file.read { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_schema WHERE name LIKE 'tideline\\_load\\_%' ESCAPE '\\'
                    OR name LIKE 'tideline\\_stage\\_%' ESCAPE '\\' OR name = 'tideline_sent' ORDER BY name
                    """
            )
            var found: [String] = []
            for table in tables {
                // A table that is loaded takes the place of the set's; those of staged changes stay, and are empty.
                if table.hasPrefix("tideline_load_") { found.append("the table \(table)") }
                guard try Int.fetchOne(database, sql: "SELECT 1 FROM \"\(table)\" LIMIT 1") != nil else { continue }
                found.append("rows of \(table)")
            }
            let bases = """
                SELECT 1 FROM tideline_base WHERE NOT EXISTS (SELECT 1 FROM tideline_quarantine)
                AND NOT EXISTS (SELECT 1 FROM tideline_outbox)
                """
            if try Int.fetchOne(database, sql: bases) != nil { found.append("rows of tideline_base") }
            return found
        }
    }
}

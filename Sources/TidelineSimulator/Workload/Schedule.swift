// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// All that is to happen in a run, made from the seed before it begins.
package struct Schedule: Hashable, Sendable {
    var devices: Int
    var storage: ServiceNode.Storage
    /// Rows on a page of the service.
    var pageRows: Int
    /// In the order of their moments.
    package var events: [ScheduledEvent]

    package init(seed: UInt64, profile: Profile) {
        var chance = Chance(seed, "schedule")
        devices = chance.number(profile.devices)
        storage = chance.element(ServiceNode.Storage.allCases) ?? .sqlite
        pageRows = chance.element([3, 20, 5_000]) ?? 20
        let count = chance.number(profile.events)
        var time = SimulatedTime.start.advanced(by: .seconds(60))
        events = []
        for number in 1...count {
            time = time.advanced(by: chance.duration(.milliseconds(1), .seconds(chance.once(in: 20) ? 86_400 : 60)))
            let kind = Schedule.kind(profile, devices, &chance)
            events.append(ScheduledEvent(number: number, time: time, kind: kind))
        }
    }

    private static func kind(_ profile: Profile, _ devices: Int, _ chance: inout Chance) -> ScheduledEvent.Kind {
        let device = chance.below(devices)
        let pause = chance.duration(.milliseconds(1), .seconds(3600))
        let conditions = NetworkConditions.drawn(&chance)
        let kinds: [(Int, ScheduledEvent.Kind)] = [
            (profile.edits, .edit(device: device)), (profile.syncs, .sync(device: device)),
            (profile.kills, .kill(device: device, pause: pause)), (profile.decisions, .decide(device: device)),
            (profile.networks, .network(device: device, conditions)), (profile.directs, .direct),
            (profile.restarts, .restart(pause: pause)),
        ]
        var part = chance.below(kinds.reduce(0) { $0 + $1.0 })
        for (weight, kind) in kinds {
            if part < weight { return kind }
            part -= weight
        }
        return .edit(device: device)
    }
}

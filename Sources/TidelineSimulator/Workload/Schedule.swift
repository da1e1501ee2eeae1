// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// All that is to happen in a run, made from the seed before it begins.
package struct Schedule: Hashable, Sendable {
    var devices: Int
    var storage: ServiceNode.Storage
    /// Rows on a page of the service.
    package var pageRows: Int
    /// Whether triggers of the service's database change rows beside those that somebody writes.
    var hasTriggers = false
    /// What the network of each device is at the beginning.
    var conditions = NetworkConditions.good
    /// How often each request arrives; the last answer comes back.
    package var deliveries = 1
    /// In the order of their moments.
    package var events: [ScheduledEvent]

    package init(seed: UInt64, profile: Profile) {
        var chance = Chance(seed, "schedule")
        devices = chance.number(profile.devices)
        storage = chance.element(ServiceNode.Storage.allCases) ?? .sqlite
        pageRows = chance.element([3, 20, 5_000]) ?? 20
        let count = profile.isMostlyShort ? chance.magnitude(profile.events) : chance.number(profile.events)
        var time = SimulatedTime.start.advanced(by: .seconds(60))
        events = []
        for number in 1...count {
            time = time.advanced(by: chance.duration(.milliseconds(1), .seconds(chance.once(in: 20) ? 86_400 : 60)))
            let kind = Schedule.kind(profile, devices, &chance)
            events.append(ScheduledEvent(number: number, time: time, kind: kind))
        }
        befall(profile, Chance(seed, "befalls"))
        guard profile.befalls.upperBound > 0 else { return }
        breakSets(Chance(seed, "broken sets"))
        publishAnew(Chance(seed, "publications"))
        move(Chance(seed, "moves"))
        var triggers = Chance(seed, "triggers")
        hasTriggers = storage == .sqlite && triggers.once(in: 3)
    }

    /// Lets the service get another address in some of the runs; what happens besides stays as it is.
    ///
    /// Not where it is published anew: devices follow no other publication.
    private mutating func move(_ chance: Chance) {
        var chance = chance
        guard chance.once(in: 8), !events.contains(where: { $0.kind == .publishAnew }) else { return }
        let moments = events.map(\.time)
        for _ in 0..<chance.number(1...2) {
            let time = moments[chance.below(moments.count)].advanced(by: .milliseconds(3))
            events.append(ScheduledEvent(number: events.count + 1, time: time, kind: .move))
        }
        sort()
    }

    /// Lets the service fail to read sets in some of the runs; what happens besides stays as it is.
    private mutating func breakSets(_ chance: Chance) {
        var chance = chance
        guard chance.once(in: 4) else { return }
        let moments = events.map(\.time)
        for _ in 0..<chance.number(1...3) {
            let time = moments[chance.below(moments.count)].advanced(by: .milliseconds(2))
            let kind = ScheduledEvent.Kind.breakSet(
                place: chance.below(100),
                pause: chance.duration(.seconds(10), .seconds(7_200))
            )
            events.append(ScheduledEvent(number: events.count + 1, time: time, kind: kind))
        }
        sort()
    }

    /// Lets the service's domain be taken away and published again in some of the runs; what happens besides stays as it is.
    private mutating func publishAnew(_ chance: Chance) {
        var chance = chance
        guard storage == .sqlite, chance.once(in: 8) else { return }
        let moments = events.map(\.time)
        let time = moments[chance.below(moments.count)].advanced(by: .milliseconds(4))
        events.append(ScheduledEvent(number: events.count + 1, time: time, kind: .publishAnew))
        sort()
    }

    /// Adds what happens rarely; what happens besides stays as it is.
    private mutating func befall(_ profile: Profile, _ chance: Chance) {
        var chance = chance
        let moments = events.map(\.time)
        guard moments.count > 1 else { return }
        func add(_ kind: ScheduledEvent.Kind, at place: Int) {
            let time = moments[place].advanced(by: .milliseconds(1))
            events.append(ScheduledEvent(number: events.count + 1, time: time, kind: kind))
        }
        for _ in 0..<chance.number(profile.befalls) {
            let (place, device) = (chance.below(moments.count), chance.below(devices))
            switch chance.below(6) {
            case 0:
                add(
                    .suspend(device: device, pause: chance.duration(.seconds(86_400), .seconds(60 * 86_400))),
                    at: place
                )
            case 1:
                let far = Int64(chance.number(1...3650)) * 86_400
                add(
                    .clock(device: chance.once(in: 3) ? nil : device, seconds: chance.once(in: 2) ? far : -far),
                    at: place
                )
            case 2, 3: add(.compact(entries: chance.number(1...40)), at: place)
            case 4 where place > 0:
                add(.backup, at: chance.below(place))
                add(.restore, at: place)
            default:
                // Those two are of one user.
                guard devices > 1 else { continue }
                let from = chance.below(2)
                add(.copy(from: from, to: 1 - from), at: place)
            }
        }
        sort()
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

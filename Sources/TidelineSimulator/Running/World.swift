// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineService
import TidelineStorage
import TidelineStore
import TidelineSync

/// All nodes of a run, the network between them, what was written, and what was seen.
///
/// `@unchecked Sendable`: the loop's one thread uses it, which ``Loop/requireThread()`` checks at each note.
final class World: @unchecked Sendable {
    let seed: UInt64
    let loop: Loop
    let service: ServiceNode
    let clocks = ClockSkews()
    private(set) var devices: [DeviceNode] = []
    private(set) var trace = Trace()
    private(set) var violations: [Violation] = []
    var statistics = Statistics()
    /// The rows of the service at the end.
    var last: NodeState?
    /// The committed transactions by the number of their event.
    private(set) var writes: [Int: WriteRecord] = [:]
    private var checks: AllChecks
    private var network: SimulatedNetwork?
    /// Where the service's change log ended when it was looked at last.
    private var seen: FeedPosition?
    /// The service's rows when it was looked at last.
    private var current: NodeState?
    /// Delta links that the service gave.
    private(set) var links: GivenLinks

    /// - Parameter folder: an empty folder for the files of this run.
    init(seed: UInt64, schedule: Schedule, folder: String) throws {
        self.seed = seed
        let loop = Loop(seed: seed)
        self.loop = loop
        let clocks = clocks
        let path = folder + "/service.sqlite"
        let model = try Regatta.publish(path: path, hasTriggers: schedule.hasTriggers)
        checks = AllChecks(model: model)
        links = GivenLinks(model: model, most: World.mostLinks, chance: Chance(seed, "links"))
        service = try ServiceNode(
            loop,
            schedule.storage,
            path: path,
            model: model,
            limits: ServiceLimits(pageRows: schedule.pageRows),
            seed: seed
        ) {
            World.epoch + loop.now.nanoseconds / 1_000_000_000 + clocks.skew(of: nil)
        }
        let network = SimulatedNetwork(loop, seed: seed) { [unowned self] in
            try deliver($0)
        } note: { [unowned self] in
            note(devices[$0].name, $1)
        }
        network.deliveries = schedule.deliveries
        self.network = network
        for index in 0..<schedule.devices {
            var jitter = Chance(seed, "jitter", index)
            let numbers = (0..<64).map { _ in jitter.fraction() }
            let options = SyncOptions(
                sleep: { try await loop.sleep(for: $0, index) },
                random: { numbers[Int(loop.now.nanoseconds / 1_000_000 % 64)] },
                now: {
                    DateTimeOffset(
                        seconds: World.epoch + loop.now.nanoseconds / 1_000_000_000 + clocks.skew(of: index)
                    )
                }
            ).alone
            // Two devices of one user, where there are several.
            let user = Regatta.user(max(index, 1))
            let device = try DeviceNode(
                loop,
                index: index,
                user: user,
                folder: folder,
                network: network,
                options: options
            )
            devices.append(device)
            network.setConditions(schedule.conditions, of: index)
        }
    }

    /// The most delta links of a run that are followed at its end.
    static let mostLinks = 12

    /// The moment by all clocks at which a run begins, in seconds from 1970.
    static let epoch: Int64 = 1_800_000_000

    func note(_ node: String, _ text: String) {
        loop.requireThread()
        trace.add(loop.now, node, text)
    }

    func setConditions(_ conditions: NetworkConditions, of device: Int) {
        network?.setConditions(conditions, of: device)
    }

    /// The requests that devices sent so far.
    var exchanges: Int { network?.exchanges ?? 0 }

    /// Ends all processes.
    func end() {
        for device in devices { device.kill() }
        service.stop()
        statistics.exchanges = exchanges
        statistics.faults = network?.faults ?? 0
    }

    // MARK: What is written

    func commit(_ write: WriteRecord) { writes[write.event] = write }

    /// Notes that whatever wrote these values was given up.
    func giveUp(_ changes: [Change]) {
        for value in changes.flatMap(\.assignments).map(\.after) {
            guard case .string(let text) = value, let event = WrittenValue.event(of: text) else { continue }
            writes[event]?.isGivenUp = true
        }
    }

    /// Notes that whatever wrote these values was in the quarantine of a device, and is sent again.
    func hold(_ changes: [Change], on device: DeviceNode) {
        let texts = changes.flatMap(\.assignments).compactMap(\.after.text)
        let events = Set(texts.compactMap { WrittenValue.event(of: $0) })
        for event in events { writes[event]?.wasHeld = true }
        look(at: .retried(device: device.name, events: events))
    }

    /// Notes that the service went back: what it had and has no more was lost with it.
    func restored(from before: NodeState) throws {
        let after = try NodeState(service.store)
        let events = { (state: NodeState) in
            Set(OnceCheck.marks(Regatta.events, state, self.service.model).map(\.text))
        }
        let lost = events(before).subtracting(events(after))
        for write in writes.values where lost.contains(write.mark) { writes[write.event]?.isGivenUp = true }
        look(at: .goingBack(waiting: try devices.reduce(into: []) { try $0.formUnion($1.waitingTexts()) }))
        look(at: .restored)
        (seen, current) = (nil, nil)
        try lookAtService()
    }

    /// Notes that the domain was published anew: its rows are the same, and what was sent before is forgotten.
    func publishedAnew() throws {
        look(at: .publishedAnew)
        (seen, current) = (nil, nil)
        links.forgetLoads()
        try lookAtService()
    }

    /// Notes that the file of a device is that of another one now: what it had alone is lost.
    func replaced(_ device: DeviceNode, by source: DeviceNode) {
        for write in writes.values where write.author == device.name { writes[write.event]?.isGivenUp = true }
        look(at: .replaced(device: device.name, by: source.name))
    }

    // MARK: What is seen

    func violate(_ number: String, _ message: String) {
        let violation = Violation(number, message, at: loop.now)
        // The same thing is wrong again at the next look.
        guard !violations.contains(where: { $0.number == number && $0.message == message }) else { return }
        violations.append(violation)
        note("check", "\(number): \(message)")
    }

    func look(at observation: Observation) {
        statistics.looks += 1
        for violation in checks.look(at: observation, writes, loop.now) { violate(violation.number, violation.message) }
    }

    /// Shows the service to the checks where its content changed.
    func lookAtService() throws {
        let position = try service.store.read { try $0.position() }
        guard position != seen else { return }
        seen = position
        let state = try NodeState(service.store)
        current = state
        look(at: .service(state))
    }

    func look(at device: DeviceNode) throws {
        guard let store = device.store else { return }
        let behind = Set(try store.subscriptions().filter { $0.deltaLink == nil }.map(\.set))
        look(at: .device(name: device.name, try NodeState(store, model: service.model), behind: behind))
        look(at: .held(device: device.name, codes: Set(try store.quarantined().map(\.code))))
        try lookAtLists(of: device)
    }

    /// Shows the live lists of a device to the checks.
    func lookAtLists(of device: DeviceNode) throws {
        for list in device.lists {
            let (folded, fresh) = try list.follow()
            look(at: .list(device: device.name, folded: folded, fresh: fresh))
        }
    }

    /// The rows of the service that a user may see.
    func scope(_ state: NodeState, of user: UserContext) -> NodeState {
        guard let diary = service.model.setIndex(wire: Regatta.diary),
            let owner = service.model.sets[diary].type.propertyIndex(wire: "Owner")
        else { return state }
        var state = state
        state.sets[diary] = state.sets[diary].filter { $0.value[owner] == user.id }
        return state
    }

    /// Notes what the service sent.
    private func note(_ response: TransportResponse, to request: SimulatedNetwork.Request) throws {
        look(at: .sent(to: devices[request.device].name, user: request.user.id, bytes: response.body))
        let state = try current ?? NodeState(service.store)
        current = state
        let path = request.head.method == .get ? request.head.path : nil
        links.note(response.body, to: path, of: request.user, at: loop.now) { scope(state, of: request.user) }
    }

    // MARK: The way to the service

    /// Whether a request finds the service: in half of the runs both of its names lead there for what was sent before it moved.
    private func isReached(_ request: SimulatedNetwork.Request) -> Bool {
        request.head.authority == service.address.authority || request.isLate && seed.isMultiple(of: 2)
    }

    /// Hands a request to the service; `nil` where nobody listens.
    private func deliver(_ request: SimulatedNetwork.Request) throws -> TransportResponse? {
        guard service.isUp, isReached(request) else { return nil }
        let response = try service.answer(request.head, request.body, user: request.user)
        for failure in service.takeFailures() { violate("service", "The service failed: \(failure)") }
        if request.head.method != .get {
            look(at: .request(of: devices[request.device].name))
            try lookAtService()
        }
        try note(response, to: request)
        return response
    }
}

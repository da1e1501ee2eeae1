// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel

/// Delivers requests and answers in simulated time, and does to them what networks do.
final class SimulatedNetwork: Sendable {
    struct Request {
        var head: HTTPRequest
        var body: [UInt8]
        var device: Int
        var user: UserContext
        /// Whether its client waits for it no more.
        var isLate = false

        /// What is asked, without what is random in it.
        var text: String {
            let link = (head.path ?? "/").dropFirst("/odata/regatta/".count).prefix { $0 != "?" }
            return "\(head.method) \(link)"
        }
    }

    /// How long a client waits for an answer.
    static let patience = Duration.seconds(60)

    private struct State {
        /// Calls the service; `nil` where there is none.
        let deliver: (Request) throws -> TransportResponse?
        let note: (_ device: Int, _ text: String) -> Void
        var conditions: [Int: NetworkConditions] = [:]
        /// How many exchanges each device began.
        var counts: [Int: Int] = [:]
        /// The answers that a proxy kept, by device and link.
        var kept: [String: TransportResponse] = [:]
        var deliveries = 1
        var exchanges = 0
        var faults = 0
    }

    private let loop: Loop
    private let seed: UInt64
    private let state: Confined<State>

    /// How often each request arrives.
    var deliveries: Int {
        get { state.deliveries }
        set { state.deliveries = newValue }
    }
    var exchanges: Int { state.exchanges }
    var faults: Int { state.faults }

    init(
        _ loop: Loop,
        seed: UInt64,
        deliver: @escaping (Request) throws -> TransportResponse?,
        note: @escaping (_ device: Int, _ text: String) -> Void
    ) {
        self.loop = loop
        self.seed = seed
        state = Confined(State(deliver: deliver, note: note), to: loop)
    }

    func setConditions(_ conditions: NetworkConditions, of device: Int) {
        state.conditions[device] = conditions
    }

    /// Carries a request to the service and its answer back.
    func exchange(_ request: Request) async throws -> TransportResponse {
        let conditions = state.conditions[request.device] ?? .good
        let count = state.counts[request.device, default: 0]
        state.counts[request.device] = count + 1
        state.exchanges += 1
        var chance = Chance(seed, "exchange \(request.device)", count)
        guard !conditions.isPartitioned else {
            state.note(request.device, "\(request.text): no network")
            try await loop.sleep(for: .milliseconds(10), request.device)
            throw ClientError(.unreachable, "No network.", advice: "", isUnsent: true)
        }
        let there = chance.duration(conditions.least, conditions.most)
        let back = chance.duration(conditions.least, conditions.most)
        let fault = chance.perMille(conditions.faultsPerMille) ? chance.element(NetworkFault.allCases) : nil
        state.note(request.device, "\(request.text)\(fault.map { ", \($0.rawValue)" } ?? "")")
        if let fault {
            state.faults += 1
            do {
                return try await meet(fault, request, there: there, back: back, &chance)
            } catch let error as ClientError {
                // It may have arrived before, or arrive again: who finds nobody then has sent it all the same.
                var sent = error
                sent.isUnsent = false
                throw sent
            }
        }
        return try await whole(request, there: there, back: back)
    }

    /// The way without faults; slow ways are given up.
    private func whole(_ request: Request, there: Duration, back: Duration) async throws -> TransportResponse {
        guard there < SimulatedNetwork.patience else { return try await abandoned(request, arrival: there) }
        try await loop.sleep(for: there, request.device)
        let response = try arrive(request)
        guard there + back < SimulatedNetwork.patience else {
            try await loop.sleep(for: SimulatedNetwork.patience - there, request.device)
            throw ClientError(.timedOut, "No answer.", advice: "")
        }
        try await loop.sleep(for: back, request.device)
        if request.head.method == .get, response.head.status == .ok { state.kept[keptName(request)] = response }
        return response
    }

    private func keptName(_ request: Request) -> String { "\(request.device) \(request.head.path ?? "")" }

    /// The client gives up; the request arrives all the same.
    private func abandoned(_ request: Request, arrival: Duration) async throws -> TransportResponse {
        later(request, in: arrival)
        try await loop.sleep(for: SimulatedNetwork.patience, request.device)
        throw ClientError(.timedOut, "No answer.", advice: "")
    }

    private func later(_ request: Request, in time: Duration) {
        loop.at(loop.now.advanced(by: time)) { [self] in
            state.note(request.device, "\(request.text) arrives late")
            var late = request
            late.isLate = true
            _ = try? state.deliver(late)
        }
    }

    private func arrive(_ request: Request) throws -> TransportResponse {
        // Where nobody listens the connection is refused, before anything is sent.
        guard var response = try state.deliver(request) else {
            throw ClientError(.unreachable, "Nobody there.", advice: "", isUnsent: true)
        }
        for _ in 1..<deliveries { response = try state.deliver(request) ?? response }
        return response
    }

    private func meet(
        _ fault: NetworkFault,
        _ request: Request,
        there: Duration,
        back: Duration,
        _ chance: inout Chance
    ) async throws -> TransportResponse {
        switch fault {
        case .dropBefore:
            try await loop.sleep(for: min(there, SimulatedNetwork.patience), request.device)
            throw SimulatedNetwork.interrupted
        case .late:
            return try await abandoned(request, arrival: .seconds(61) + chance.duration(.zero, .seconds(86_400)))
        case .portal, .status:
            try await loop.sleep(for: min(there, SimulatedNetwork.patience), request.device)
            return try Interference.answer(fault, &chance)
        case .replay:
            if request.head.method == .get, let old = state.kept[keptName(request)] { return old }
            return try await whole(request, there: there, back: back)
        case .echoed:
            later(request, in: there + chance.duration(.zero, .seconds(86_400)))
            return try await whole(request, there: there, back: back)
        case .dropAfter, .duplicate, .truncate, .cut, .damage:
            var response = try await whole(request, there: there, back: back)
            switch fault {
            case .duplicate: _ = try arrive(request)
            case .dropAfter, .cut: throw SimulatedNetwork.interrupted
            default: Interference.spoil(&response, fault, &chance)
            }
            return response
        }
    }

    private static var interrupted: ClientError { ClientError(.interrupted, "Cut.", advice: "") }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient

/// What each step comes to, found out once by the code that ships.
///
/// A step concerns a device, or the service and one request: what both devices, the service and the network are in
/// together follows from what each of them does. So a million states need some thousands of runs of the engine. Equal
/// contents have one number, whatever led to them.
final class SmallTransitions {
    struct Flight {
        var device: Int
        var start: Int32
        var events: [Event]
        var request: Int32
        var killed: PageShelf.Image
        var powerLost: PageShelf.Image
    }

    enum Event: Hashable {
        case answer(Int32)
        case cut
        case write(SmallWrite, number: UInt8)
    }

    private struct Course: Hashable {
        var start: Int32
        var events: [Event]
    }

    private struct Pair: Hashable {
        var first: Int32
        var second: Int32
    }

    private struct Write: Hashable {
        var device: Int32
        var change: SmallWrite
        var number: UInt8
    }

    private let world: SmallWorld
    private var shelf = PageShelf()
    private(set) var devices: [SmallDevice] = []
    private(set) var services: [SmallService] = []
    private(set) var flights: [Flight] = []
    private var deviceImages: [PageShelf.Image] = []
    private var serviceImages: [PageShelf.Image] = []
    private var requests: [SmallRequest] = []
    private var answers: [TransportResponse] = []
    private var deviceNumbers: [[Digest: Int32]] = [[:], [:]]
    private var serviceNumbers: [Digest: Int32] = [:]
    private var requestNumbers: [Digest: Int32] = [:]
    private var answerNumbers: [Digest: Int32] = [:]
    private var writes: [Write: Int32] = [:]
    private var discards: [Int32: Int32] = [:]
    private var courses: [Course: SmallPlace] = [:]
    private var openings: [PageShelf.Image: Int32] = [:]
    private var replies: [Pair: Pair] = [:]
    /// What a sync told that met no fault and failed all the same.
    private var failures: [String] = []
    /// How often the engine was run, or a device was opened.
    private(set) var runs = 0

    init(_ world: SmallWorld) { self.world = world }

    /// The failures since the last call.
    func takeFailures() -> [String] {
        defer { failures = [] }
        return failures
    }

    /// How many requests the service was asked.
    var replyCount: Int { replies.count }

    func begin() async throws -> (devices: [Int32], service: Int32) {
        let (devices, service) = try await world.begin()
        let numbers = devices.enumerated().map { number($0, $1.0, $1.1) }
        return (numbers, number(service.0, service.1))
    }

    // MARK: Steps of a device

    func write(_ change: SmallWrite, number text: Int, on device: Int, _ start: Int32) async throws -> Int32 {
        let key = Write(device: start, change: change, number: UInt8(text))
        if let known = writes[key] { return known }
        runs += 1
        let image = shelf.take(deviceImages[Int(start)])
        let left = try await world.write(change, SmallText.text(device, text), on: device, from: image)
        let result = number(device, left.0, left.1)
        writes[key] = result
        return result
    }

    func discard(on device: Int, _ start: Int32) throws -> Int32 {
        if let known = discards[start] { return known }
        runs += 1
        let left = try world.discard(on: device, from: shelf.take(deviceImages[Int(start)]))
        let result = number(device, left.0, left.1)
        discards[start] = result
        return result
    }

    /// Begins a sync.
    func begin(_ device: Int, _ start: Int32) async throws -> SmallPlace {
        try await fly(device, Course(start: start, events: []))
    }

    /// Goes on with a sync.
    func go(on flight: Int32, _ event: Event) async throws -> SmallPlace {
        let flight = flights[Int(flight)]
        return try await fly(flight.device, Course(start: flight.start, events: flight.events + [event]))
    }

    private func fly(_ device: Int, _ course: Course) async throws -> SmallPlace {
        if let known = courses[course] { return known }
        let place: SmallPlace
        switch try await run(device, course) {
        case .request(let request, let wreck):
            place = .asks(flight: Int32(flights.count))
            let flight = Flight(
                device: device,
                start: course.start,
                events: course.events,
                request: number(request),
                killed: shelf.put(wreck.killed),
                powerLost: shelf.put(wreck.powerLost)
            )
            if case .write? = course.events.last { check(flight) }
            flights.append(flight)
        case .end(let content, let image, let error):
            if let error, !course.events.contains(.cut) { failures.append(error) }
            place = .idle(number(device, content, image))
        }
        courses[course] = place
        return place
    }

    /// A write in a sync lets the sync ask the same again.
    private func check(_ flight: Flight) {
        let before = Course(start: flight.start, events: flight.events.dropLast())
        guard case .asks(let other)? = courses[before], flights[Int(other)].request == flight.request else {
            return failures.append("a sync that was done again asked something else")
        }
    }

    /// Ends a sync where it waits, with its process, and opens what it leaves.
    ///
    /// - Parameter keepsAll: whether the process alone ends, and not the device's power.
    func end(_ flight: Int32, keepsAll: Bool) throws -> Int32 {
        let flight = flights[Int(flight)]
        let image = keepsAll ? flight.killed : flight.powerLost
        if let known = openings[image] { return known }
        runs += 1
        let left = try world.reopen(flight.device, from: shelf.take(image))
        let result = number(flight.device, left.0, left.1)
        openings[image] = result
        return result
    }

    private func run(_ device: Int, _ course: Course) async throws -> SmallFlightOutcome {
        runs += 1
        let events = course.events.map { event -> SmallFlightEvent in
            switch event {
            case .answer(let number): .answer(answers[Int(number)])
            case .cut: .cut
            case .write(let change, let number): .write(change, text: SmallText.text(device, Int(number)))
            }
        }
        return try await world.fly(device, from: shelf.take(deviceImages[Int(course.start)]), events)
    }

    // MARK: Steps of the service

    /// - Returns: what the service has then, and what it answered.
    func answer(_ request: Int32, _ service: Int32) throws -> (service: Int32, answer: Int32) {
        let key = Pair(first: request, second: service)
        if let known = replies[key] { return (known.first, known.second) }
        let image = shelf.take(serviceImages[Int(service)])
        let (response, content, left) = try world.answer(requests[Int(request)], from: image)
        let result = Pair(first: number(content, left), second: number(response))
        replies[key] = result
        return (result.first, result.second)
    }

    // MARK: Numbers

    private func number(_ device: Int, _ content: SmallDevice, _ image: DiskImage) -> Int32 {
        if let known = deviceNumbers[device][content.digest] { return known }
        let number = Int32(devices.count)
        deviceNumbers[device][content.digest] = number
        devices.append(content)
        deviceImages.append(shelf.put(image))
        return number
    }

    private func number(_ content: SmallService, _ image: DiskImage) -> Int32 {
        if let known = serviceNumbers[content.digest] { return known }
        let number = Int32(services.count)
        serviceNumbers[content.digest] = number
        services.append(content)
        serviceImages.append(shelf.put(image))
        return number
    }

    private func number(_ request: SmallRequest) -> Int32 {
        let number = requestNumbers[request.digest, default: Int32(requests.count)]
        if number == requests.count { requests.append(request) }
        requestNumbers[request.digest] = number
        return number
    }

    private func number(_ response: TransportResponse) -> Int32 {
        var digest = Digest()
        digest.add("\(response.head.status.code) \(response.head.headerFields)")
        digest.add(String(decoding: response.body, as: UTF8.self))
        let number = answerNumbers[digest, default: Int32(answers.count)]
        if number == answers.count { answers.append(response) }
        answerNumbers[digest] = number
        return number
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// From a state to the next ones.
extension SmallSearch {
    mutating func takeSteps(of device: Int, in position: SmallPosition, _ origin: Int32) async throws {
        switch position[device] {
        case .idle(let number): try await takeSteps(at: number, of: device, in: position, origin)
        case .asks(let flight): try await takeSteps(asking: flight, of: device, in: position, origin)
        case .hears(let flight, let answer):
            var next = position
            next[device] = try await transitions.go(on: flight, .answer(answer))
            try await add(next, from: origin, .hear(device: UInt8(device)))
            for fault in SmallFault.allCases where !fault.isOfRequests {
                try await take(fault, flight, of: device, in: position, origin)
            }
        }
    }

    private mutating func takeSteps(
        at number: Int32,
        of device: Int,
        in position: SmallPosition,
        _ origin: Int32
    ) async throws {
        let content = transitions.devices[Int(number)]
        if position.writesLeft > 0 {
            for write in SmallWrite.choices(content.rows) {
                var next = position
                let text = note(write, on: device, content.rows, in: &next)
                next[device] = .idle(try await transitions.write(write, number: text, on: device, number))
                try await add(next, from: origin, .write(device: UInt8(device), write))
            }
        }
        if content.hasQuarantine {
            var next = position
            next.excused |= content.quarantined
            next[device] = .idle(try transitions.discard(on: device, number))
            try await add(next, from: origin, .discard(device: UInt8(device)))
        }
        var next = position
        next[device] = try await transitions.begin(device, number)
        try await add(next, from: origin, .begin(device: UInt8(device)))
    }

    private mutating func takeSteps(
        asking flight: Int32,
        of device: Int,
        in position: SmallPosition,
        _ origin: Int32
    ) async throws {
        var next = position
        let request = transitions.flights[Int(flight)].request
        let (service, answer) = try transitions.answer(request, position.service)
        next.service = service
        next[device] = .hears(flight: flight, answer: answer)
        try await add(next, from: origin, .reach(device: UInt8(device)))
        if position.writesLeft > 0 {
            // What it has while it waits is what a killed process leaves.
            let left = try transitions.end(flight, keepsAll: true)
            let rows = transitions.devices[Int(left)].rows
            for write in SmallWrite.choices(rows) {
                var next = position
                let text = note(write, on: device, rows, in: &next)
                next[device] = try await transitions.go(on: flight, .write(write, number: UInt8(text)))
                try await add(next, from: origin, .write(device: UInt8(device), write))
            }
        }
        for fault in SmallFault.allCases { try await take(fault, flight, of: device, in: position, origin) }
    }

    /// - Returns: the number of the text.
    private func note(
        _ write: SmallWrite,
        on device: Int,
        _ rows: [String: String],
        in next: inout SmallPosition
    ) -> Int {
        let number = next.write(device)
        // Who writes over a text has seen it; the text of a deletion is nowhere.
        next.excused |= SmallText.bits(in: rows[write.key] ?? "")
        if write.operation == .delete { next.excused |= SmallText.bit(device, number) }
        return number
    }

    private mutating func take(
        _ fault: SmallFault,
        _ flight: Int32,
        of device: Int,
        in position: SmallPosition,
        _ origin: Int32
    ) async throws {
        guard position.faultsLeft > 0 else { return }
        var next = position
        next.faultsLeft -= 1
        switch fault {
        case .lost: next[device] = try await transitions.go(on: flight, .cut)
        case .late:
            next[device] = try await transitions.go(on: flight, .cut)
            next.addLate(transitions.flights[Int(flight)].request)
        case .twice:
            let request = transitions.flights[Int(flight)].request
            let (service, answer) = try transitions.answer(request, position.service)
            next.service = service
            next[device] = .hears(flight: flight, answer: answer)
            next.addLate(request)
        case .killed: next[device] = .idle(try transitions.end(flight, keepsAll: true))
        case .powerLost:
            next[device] = .idle(try transitions.end(flight, keepsAll: false))
            // What was written in this sync is not synced to the disk, and may go with the power.
            for case .write(_, let number) in transitions.flights[Int(flight)].events {
                next.excused |= SmallText.bit(device, Int(number))
            }
        }
        try await add(next, from: origin, .fault(device: UInt8(device), fault))
    }

    /// Lets each late request arrive.
    mutating func takeArrivals(in position: SmallPosition, _ origin: Int32) async throws {
        for (place, request) in position.late.enumerated() {
            var next = position
            next.removeLate(place)
            next.service = try transitions.answer(request, position.service).service
            try await add(next, from: origin, .lateArrival)
        }
    }
}

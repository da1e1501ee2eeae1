// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Lets the two devices of a small search sync in turn, without faults, until nothing changes any more.
final class SmallSettling {
    /// Where they come to.
    struct Rest {
        var devices: [Int32]
        var service: Int32
        /// The texts that were refused on the way, and given up.
        var refused: UInt16
    }

    private struct Start: Hashable {
        var first: Int32
        var second: Int32
        var service: Int32
    }

    private let transitions: SmallTransitions
    private var known: [Start: Rest?] = [:]
    /// More turns than that are too many.
    private static let most = 8

    init(_ transitions: SmallTransitions) { self.transitions = transitions }

    /// - Returns: `nil` where they do not come to rest.
    func rest(_ devices: [Int32], _ service: Int32) async throws -> Rest? {
        let start = Start(first: devices[0], second: devices[1], service: service)
        if let rest = known[start] { return rest }
        var rest = Rest(devices: devices, service: service, refused: 0)
        for _ in 0..<Self.most {
            let before = Start(first: rest.devices[0], second: rest.devices[1], service: rest.service)
            for device in 0..<2 { try await sync(device, &rest) }
            if Start(first: rest.devices[0], second: rest.devices[1], service: rest.service) == before {
                known[start] = .some(rest)
                return rest
            }
        }
        known[start] = .some(nil)
        return nil
    }

    private func sync(_ device: Int, _ rest: inout Rest) async throws {
        var place = try await transitions.begin(device, rest.devices[device])
        while case .asks(let flight) = place {
            let (service, answer) = try transitions.answer(transitions.flights[Int(flight)].request, rest.service)
            rest.service = service
            place = try await transitions.go(on: flight, .answer(answer))
        }
        guard case .idle(let number) = place else { return }
        rest.devices[device] = number
        let content = transitions.devices[Int(number)]
        guard content.hasQuarantine else { return }
        rest.refused |= content.quarantined
        rest.devices[device] = try transitions.discard(on: device, number)
    }
}

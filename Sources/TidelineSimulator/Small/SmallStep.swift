// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One choice of a small search.
enum SmallStep: Hashable, Sendable {
    case write(device: UInt8, SmallWrite)
    /// Gives up what the service refused.
    case discard(device: UInt8)
    /// Begins a sync.
    case begin(device: UInt8)
    /// The request reaches the service, which answers.
    case reach(device: UInt8)
    /// The answer reaches the device.
    case hear(device: UInt8)
    case fault(device: UInt8, SmallFault)
    /// A request reaches the service whose device does not wait any more.
    case lateArrival

    /// Where it happens, and what.
    var event: (node: String, text: String) {
        switch self {
        case .write(let device, let write): (Self.name(device), "\(write)")
        case .discard(let device): (Self.name(device), "gives up what was refused")
        case .begin(let device): (Self.name(device), "begins to sync")
        case .reach(let device): ("service", "answers \(Self.name(device))")
        case .hear(let device): (Self.name(device), "has its answer")
        case .fault(let device, let fault): (Self.name(device), fault.rawValue)
        case .lateArrival: ("service", "answers a request that came late, to nobody")
        }
    }

    private static func name(_ device: UInt8) -> String { SmallText.name(Int(device)) }
}

/// What goes wrong in a small search while a device waits for an answer.
enum SmallFault: String, CaseIterable, Hashable, Sendable {
    case lost = "the message is lost, and the connection ends"
    /// The device hears nothing, and the request reaches the service later.
    case late = "the connection ends, and the request is on its way yet"
    /// The service gets it at once, and again later.
    case twice = "the request goes out twice"
    case killed = "the app is killed"
    case powerLost = "the power fails"

    /// Those of a request that is on its way; the others are those of an answer too.
    var isOfRequests: Bool { self == .late || self == .twice }
}

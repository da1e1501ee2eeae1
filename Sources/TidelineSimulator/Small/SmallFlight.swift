// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient

/// A request of a device of a small search.
struct SmallRequest: Sendable {
    var head: HTTPRequest
    var body: [UInt8]

    /// A number that stands for its bytes.
    var digest: Digest {
        var digest = Digest()
        digest.add("\(head.method) \(head.path ?? "") \(head.headerFields)")
        digest.add(String(decoding: body, as: UTF8.self))
        return digest
    }
}

/// What a sync meets while it waits, in the order in which it does.
enum SmallFlightEvent: Sendable {
    case answer(TransportResponse)
    /// The connection ends without an answer.
    case cut
    /// Somebody writes on the device meanwhile.
    case write(SmallWrite, text: String)
}

/// Where a sync comes to.
enum SmallFlightOutcome: Sendable {
    case request(SmallRequest, SmallWreck)
    /// It is over, by an error or not, and the device is closed.
    case end(SmallDevice, DiskImage, error: String?)
}

/// What is left of a device whose app ends while it waits for an answer.
struct SmallWreck: Sendable {
    /// All that it wrote, where it was killed.
    var killed: DiskImage
    /// What it synced to the disk, where its power failed.
    var powerLost: DiskImage
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where a device of a small search is: in a sync, or not.
enum SmallPlace: Hashable, Sendable {
    /// With no app running, by the number of what it has.
    case idle(Int32)
    /// In a sync whose request is on its way.
    case asks(flight: Int32)
    /// In a sync whose answer is on its way.
    case hears(flight: Int32, answer: Int32)
}

/// A state of a small search: where everybody is, and what may still happen.
///
/// The numbers are those of ``SmallTransitions``.
struct SmallPosition: Hashable, Sendable {
    private var first: SmallPlace
    private var second: SmallPlace
    var service: Int32
    /// Requests that their devices gave up, and that may reach the service yet; in order.
    private(set) var late: [Int32] = []
    var writesLeft: UInt8
    var faultsLeft: UInt8
    private(set) var written: (UInt8, UInt8) = (0, 0)
    /// The texts that somebody saw and wrote over, or gave up: they need not be anywhere any more.
    var excused: UInt16 = 0

    init(devices: [Int32], service: Int32, writes: Int, faults: Int) {
        first = .idle(devices[0])
        second = .idle(devices[1])
        self.service = service
        writesLeft = UInt8(writes)
        faultsLeft = UInt8(faults)
    }

    subscript(device: Int) -> SmallPlace {
        get { device == 0 ? first : second }
        set { if device == 0 { first = newValue } else { second = newValue } }
    }

    /// Notes that a device writes its next text.
    ///
    /// - Returns: the number of the text, from one.
    mutating func write(_ device: Int) -> Int {
        writesLeft -= 1
        if device == 0 { written.0 += 1 } else { written.1 += 1 }
        return Int(device == 0 ? written.0 : written.1)
    }

    mutating func addLate(_ request: Int32) {
        late.append(request)
        late.sort()
    }

    mutating func removeLate(_ place: Int) { late.remove(at: place) }

    static func == (left: SmallPosition, right: SmallPosition) -> Bool {
        left.first == right.first && left.second == right.second && left.service == right.service
            && left.late == right.late && left.counts == right.counts
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
        hasher.combine(service)
        hasher.combine(late)
        hasher.combine(counts)
    }

    private var counts: UInt64 {
        UInt64(writesLeft) | UInt64(faultsLeft) << 8 | UInt64(written.0) << 16 | UInt64(written.1) << 24
            | UInt64(excused) << 32
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Which transactions a moment sees: `pg_snapshot`, whole.
///
///     100:107:100,103      all below 107, but not 100 and 103, which were open
///
/// A mere horizon would do for neither: an idle writer in another database of the server would hide everything after
/// it, or a transaction that commits late would be passed over.
/// Source: PostgreSQL, "Transaction ID and Snapshot Information Functions".
struct Snapshot: Equatable {
    /// The lowest transaction that was open.
    var lowest: UInt64
    /// One above the highest transaction that was done.
    var next: UInt64
    /// The transactions below `next` that were open, in ascending order.
    var open: [UInt64]

    init(lowest: UInt64, next: UInt64, open: [UInt64]) {
        self.lowest = lowest
        self.next = next
        self.open = open
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let lowest = UInt64(parts[0]), let next = UInt64(parts[1]), lowest <= next else {
            return nil
        }
        let open = parts[2].split(separator: ",").compactMap { UInt64($0) }
        guard open.count == parts[2].split(separator: ",").count else { return nil }
        self.init(lowest: lowest, next: next, open: open)
    }

    var text: String { "\(lowest):\(next):\(list)" }

    /// The open transactions as an SQL array.
    var openArray: String { "{\(list)}" }

    /// Whether a transaction was done at that moment.
    func sees(_ transaction: UInt64) -> Bool { transaction < next && !open.contains(transaction) }

    /// The same moment as far as transactions below `end` tell of it: it sees none of the others.
    func below(_ end: UInt64) -> Snapshot {
        guard end < next else { return self }
        return Snapshot(lowest: min(lowest, end), next: end, open: open.filter { $0 < end })
    }

    private var list: String { open.map(String.init).joined(separator: ",") }

    /// Reads what ``append(to:)`` wrote.
    init?(_ bytes: inout ArraySlice<UInt8>) {
        guard let lowest = Self.number(&bytes), let width = Self.number(&bytes), let count = Self.number(&bytes),
            count <= UInt64(bytes.count)
        else { return nil }
        var open: [UInt64] = []
        var last = lowest
        for _ in 0..<count {
            guard let step = Self.number(&bytes), !last.addingReportingOverflow(step).overflow else { return nil }
            last += step
            open.append(last)
        }
        guard !lowest.addingReportingOverflow(width).overflow else { return nil }
        self.init(lowest: lowest, next: lowest + width, open: open)
    }

    /// Packs it: differences, seven bits a byte.
    func append(to bytes: inout [UInt8]) {
        Self.append(lowest, to: &bytes)
        Self.append(next - lowest, to: &bytes)
        Self.append(UInt64(open.count), to: &bytes)
        var last = lowest
        for transaction in open {
            Self.append(transaction - last, to: &bytes)
            last = transaction
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = bytes.popFirst(), shift < 64 {
            number |= UInt64(byte & 127) << shift
            if byte < 128 { return number }
            shift += 7
        }
        return nil
    }
}

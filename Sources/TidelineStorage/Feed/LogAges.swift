// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The moments at which it was noted where a log ended.
///
///     entries:   1 2 3 | 4 5 | 6 ...
///     moments:         10:00 11:00
///
/// So an entry has no time of its own, and writers pay nothing: it is at least as old as the first moment after it.
package struct LogAges: Hashable, Sendable {
    /// Where the log ended.
    package struct Moment: Hashable, Sendable {
        /// Seconds from 1970.
        package var seconds: Int64
        /// The newest entry.
        package var entry: Int64
        /// Of stores whose entries are not in the order of their commits: transactions before this number had ended.
        package var transaction: UInt64

        package init(seconds: Int64, entry: Int64, transaction: UInt64 = 0) {
            self.seconds = seconds
            self.entry = entry
            self.transaction = transaction
        }
    }

    /// A moment is noted when a hundredth of the time has passed since the last.
    private static let parts: Int64 = 100

    /// In the order of time.
    package private(set) var moments: [Moment] = []

    package init() {}

    /// Reads what ``text`` wrote; what it did not write is passed over.
    package init(text: String) {
        for part in text.split(separator: ";") {
            let numbers = part.split(separator: " ")
            guard numbers.count == 3, let seconds = Int64(numbers[0]), let entry = Int64(numbers[1]),
                let transaction = UInt64(numbers[2])
            else { continue }
            moments.append(Moment(seconds: seconds, entry: entry, transaction: transaction))
        }
    }

    package var text: String {
        moments.map { "\($0.seconds) \($0.entry) \($0.transaction)" }.joined(separator: ";")
    }

    /// Notes where the log ends now.
    ///
    /// - Parameter seconds: for how long entries are kept.
    /// - Returns: where the log ended so long ago: what stands before that entry is to be removed; or `nil`.
    package mutating func note(_ end: Moment, keeping seconds: Int64) -> Moment? {
        // A clock that was set back makes later moments mean nothing.
        moments.removeAll { $0.seconds > end.seconds }
        let spacing = max(1, seconds / Self.parts)
        if moments.last.map({ end.seconds - $0.seconds >= spacing }) ?? true { moments.append(end) }
        guard let place = moments.lastIndex(where: { end.seconds - $0.seconds >= seconds }) else { return nil }
        moments.removeFirst(place)
        return moments.first
    }
}

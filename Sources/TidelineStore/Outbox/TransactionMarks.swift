// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is remembered of waiting transactions from one answer to the next, also where the process ends between.
struct TransactionMarks {
    static let unmet = "unmet"
    static let timeouts = "timeouts"

    /// Those that met nothing when they were sent last.
    var unmet: Set<Int64>
    /// Those that the service gave up at its limit of time, each as often as that was in a row.
    private var timeouts: [Int64]
    private let before: (unmet: Set<Int64>, timeouts: [Int64])

    init(_ connection: Connection) throws {
        unmet = Set(try connection.numbers(Self.unmet))
        timeouts = try connection.numbers(Self.timeouts)
        before = (unmet, timeouts)
    }

    /// Whether a transaction met nothing the time before, either.
    func wasUnmet(_ number: Int64) -> Bool { before.unmet.contains(number) }

    mutating func timedOut(_ number: Int64) { timeouts.append(number) }

    /// The service decided it: what it gave up before does not count any more.
    mutating func decided(_ number: Int64) { timeouts.removeAll { $0 == number } }

    /// - Parameter waiting: the transactions that wait still.
    func save(_ connection: Connection, waiting: Set<Int64>) throws {
        let unmet = unmet.intersection(waiting)
        let timeouts = timeouts.filter(waiting.contains)
        if unmet != before.unmet { try connection.setNumbers(Self.unmet, unmet.sorted()) }
        if timeouts != before.timeouts { try connection.setNumbers(Self.timeouts, timeouts) }
    }
}

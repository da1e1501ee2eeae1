// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is remembered of waiting transactions from one answer to the next, also where the process ends between.
struct TransactionMarks {
    static let unmet = "unmet"
    static let failures = "failures"

    /// Those that met nothing when they were sent last.
    var unmet: Set<Int64>
    /// Those that the service failed of, at its limit of time or otherwise, each as often as that was in a row.
    private var failures: [Int64]
    private let before: (unmet: Set<Int64>, failures: [Int64])

    init(_ connection: Connection) throws {
        unmet = Set(try connection.numbers(Self.unmet))
        failures = try connection.numbers(Self.failures)
        before = (unmet, failures)
    }

    /// Whether a transaction met nothing the time before, either.
    func wasUnmet(_ number: Int64) -> Bool { before.unmet.contains(number) }

    mutating func failed(_ number: Int64) { failures.append(number) }

    /// The service decided it: what it failed of before does not count any more.
    mutating func decided(_ number: Int64) { failures.removeAll { $0 == number } }

    /// - Parameter waiting: the transactions that wait still.
    func save(_ connection: Connection, waiting: Set<Int64>) throws {
        let unmet = unmet.intersection(waiting)
        let failures = failures.filter(waiting.contains)
        if unmet != before.unmet { try connection.setNumbers(Self.unmet, unmet.sorted()) }
        if failures != before.failures { try connection.setNumbers(Self.failures, failures) }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Which waiting transactions come after which, though nothing in their changes says so any more.
///
/// A transaction that builds on another one may lose what ties the two: the service's row wins, or both changes of a row
/// become one. What is left of it must not take effect before the other one all the same.
struct SendingOrder: Hashable {
    /// The numbers of the transactions that each one comes directly after.
    private var earlier: [Int64: Set<Int64>] = [:]

    /// The setting of the file that keeps it.
    static let name = "sending_order"

    /// Kept as `later:earlier`, with spaces between.
    static func load(_ connection: Connection) throws -> SendingOrder {
        var order = SendingOrder()
        for pair in try (connection.meta(name) ?? "").split(separator: " ") {
            let numbers = pair.split(separator: ":").compactMap { Int64($0) }
            if numbers.count == 2 { order.put(numbers[0], after: numbers[1]) }
        }
        return order
    }

    func save(_ connection: Connection) throws {
        let pairs = earlier.flatMap { later, numbers in numbers.map { (later, $0) } }.sorted { $0 < $1 }
        let text = pairs.map { "\($0):\($1)" }.joined(separator: " ")
        try connection.setMeta(SendingOrder.name, text.isEmpty ? nil : text)
    }

    /// The transactions that one comes directly after.
    func numbers(before number: Int64) -> Set<Int64> { earlier[number] ?? [] }

    mutating func put(_ number: Int64, after other: Int64) { earlier[number, default: []].insert(other) }

    /// Takes a transaction out: what comes after it comes after those before it.
    mutating func remove(_ number: Int64) {
        let before = earlier.removeValue(forKey: number) ?? []
        for later in earlier.keys where earlier[later]?.remove(number) != nil {
            earlier[later]?.formUnion(before)
            if earlier[later]?.isEmpty == true { earlier[later] = nil }
        }
    }

    /// Gives a transaction another number.
    mutating func renumber(_ old: Int64, to new: Int64) {
        if let before = earlier.removeValue(forKey: old) { earlier[new] = before }
        for later in earlier.keys where earlier[later]?.remove(old) != nil { earlier[later]?.insert(new) }
    }
}

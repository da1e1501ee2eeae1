// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How the service names the states of it that transactions were made in.
///
/// A transaction may refer to a row whose key the service gives to another one before it is sent: so it says up to where
/// the device knew the service when it was made, and not when it is sent.
package struct KnownPositions: Hashable, Sendable {
    private struct Earlier: Hashable {
        var through: Int64
        var position: String?
    }

    /// The name of the setting that keeps them.
    static let setting = "position"

    /// That of the rows that the store has.
    private var newest: String?
    /// That of what was made before, up to a number.
    private var earlier: Earlier?

    /// Reads `newest`, or `newest through earlier`; `-` stands for none.
    init(_ text: String?) {
        let parts = (text ?? "").split(separator: " ").map { $0 == "-" ? nil : String($0) }
        newest = parts.first ?? nil
        if parts.count == 3, let through = parts[1].flatMap({ Int64($0) }) {
            earlier = Earlier(through: through, position: parts[2])
        }
    }

    var text: String {
        (newest ?? "-") + (earlier.map { " \($0.through) \($0.position ?? "-")" } ?? "")
    }

    /// That of a transaction; `nil` where the service did not tell.
    package func position(of number: Int64) -> String? {
        if let earlier, number <= earlier.through { return earlier.position }
        return newest
    }

    /// The store gets the rows of another state.
    ///
    /// - Parameter waiting: the numbers of the transactions that wait, in order.
    mutating func move(to position: String?, waiting: [Int64]) {
        if let known = earlier, waiting.first.map({ $0 > known.through }) ?? true { earlier = nil }
        guard position != newest else { return }
        if let last = waiting.last {
            earlier = Earlier(through: last, position: earlier == nil ? newest : earlier?.position)
        }
        newest = position
    }

    /// Transactions got other numbers.
    ///
    /// - Parameter last: the last that was given.
    mutating func renumber(_ numbers: [Int64], through last: Int64) {
        guard let known = earlier, numbers.contains(where: { $0 <= known.through }) else { return }
        earlier?.through = max(known.through, last)
    }
}

extension Connection {
    /// Changes what is kept of them, where it changes.
    func changePositions(_ change: (inout KnownPositions) -> Void) throws {
        let before = KnownPositions(try meta(KnownPositions.setting))
        var positions = before
        change(&positions)
        if positions != before { try setMeta(KnownPositions.setting, positions.text) }
    }
}

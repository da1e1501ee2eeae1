// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What one pull holds of a store: its hidden tables, and the links that it began from.
///
/// Several may sync one file, as an app and its extension do. What one receives lies in tables of the file until all of it
/// is there, so another one must not put its own in between, nor apply what is older than what is there by now: whoever
/// writes first, or applies, ends the claims of the others, which begin again.
package final class PullClaim: Sendable {
    /// That another pull, or a change of what is subscribed to, came between.
    package struct Lost: Error {
        package init() {}
    }

    private struct State {
        var number: Int64
        /// Whether the others are kept out.
        var isHeld = false
    }

    private static let setting = "pulls"

    private let state: Mutex<State>

    init(_ connection: Connection) throws {
        state = Mutex(State(number: try connection.number(Self.setting)))
    }

    /// Makes sure, in a transaction that writes, that the claim still counts, and ends those of others.
    ///
    /// - Throws: ``Lost``.
    func hold(_ connection: Connection) throws {
        try state.withLock { state in
            guard try connection.number(Self.setting) == state.number else { throw Lost() }
            guard !state.isHeld else { return }
            state.isHeld = true
            state.number = try Self.endAll(connection)
        }
    }

    /// Ends every claim.
    ///
    /// - Returns: the number that a new one has.
    @discardableResult
    static func endAll(_ connection: Connection) throws -> Int64 {
        let number = try connection.number(setting) + 1
        try connection.setNumber(setting, number)
        return number
    }
}

extension LocalStore {
    /// Begins a pull, from the links that the store has now.
    package func claimPull() throws -> PullClaim { try reading { try PullClaim($0) } }
}

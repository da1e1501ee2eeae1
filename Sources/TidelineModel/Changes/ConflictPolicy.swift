// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What becomes of a property that a device and the server both gave another value since they last agreed.
///
///     base 10   mine 15   theirs 12      serverWins 12   clientWins 15   counter 17   minimum 12   maximum 15
///
/// It is said of a property or of an entity type, for all its properties that have none of their own; unless it is said,
/// the server wins. A decision depends on the three values alone, never on a clock. Whatever it is, both values are kept
/// in the conflict log.
public struct ConflictPolicy: Hashable, Sendable {
    /// How a value is found.
    @nonexhaustive
    public enum Rule: Hashable, Sendable {
        /// The server's value stays.
        case serverWins
        /// The device's value stays.
        case clientWins
        /// The later commit on the server counts: a device's change is committed when it is sent, so it stays.
        case lastEdit
        /// Both additions count: theirs + (mine - base), for numbers; a base of null is zero.
        case counter
        /// What either side added is in, and what either side took out is not: for collections and the bits of flags.
        case union
        /// The lesser value; any value is preferred to null.
        case minimum
        /// The greater value; any value is preferred to null.
        case maximum
        /// Texts are merged word by word; edits that overlap are left to the fallback.
        case words
        /// Texts are merged line by line; edits that overlap are left to the fallback.
        case lines
        /// A function of the app, by its name, decides.
        case custom(String)
        /// The change waits until a person decides; meanwhile the server's value is shown.
        case ask
    }

    /// What is done where a rule finds no value.
    public enum Fallback: String, Hashable, Sendable, CaseIterable {
        case serverWins, clientWins, lastEdit, ask
    }

    public var rule: Rule
    /// For edits that overlap, additions that leave the range, a function that is not there, results that the property
    /// may not have.
    public var fallback: Fallback

    /// - Parameters:
    ///   - rule: how a value is found.
    ///   - fallback: what is done where the rule finds none.
    public init(_ rule: Rule, else fallback: Fallback = .serverWins) {
        self.rule = rule
        self.fallback = fallback
    }
}

extension ConflictPolicy {
    /// The server's value stays; what holds where nothing is said.
    public static let serverWins = ConflictPolicy(.serverWins)
    /// The device's value stays.
    public static let clientWins = ConflictPolicy(.clientWins)
    /// The later commit on the server counts.
    public static let lastEdit = ConflictPolicy(.lastEdit)
    /// Both additions count.
    public static let counter = ConflictPolicy(.counter)
    /// What either side added is in, and what either side took out is not.
    public static let union = ConflictPolicy(.union)
    /// The lesser value stays.
    public static let minimum = ConflictPolicy(.minimum)
    /// The greater value stays.
    public static let maximum = ConflictPolicy(.maximum)
    /// Texts are merged word by word.
    public static let words = ConflictPolicy(.words)
    /// Texts are merged line by line.
    public static let lines = ConflictPolicy(.lines)
    /// The change waits until a person decides.
    public static let ask = ConflictPolicy(.ask)
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A regular expression of ECMAScript that is matched in linear time, for `matchesPattern`.
///
/// What there is: characters and escapes (`\t \n \v \f \r \0 \cX \xHH \uHHHH \u{…}`), `.`, classes and their escapes
/// (`\d \D \w \W \s \S`), groups (capturing, named, non-capturing), alternatives, `* + ? {n} {n,} {n,m}` with their
/// lazy forms (the same here, where only the fact of a match counts), `^ $ \b \B`. Characters are Unicode scalars, as
/// under ECMAScript's flag `u`; no other flag is set.
///
/// What there is not, because it takes more than linear time or a table of Unicode properties: look-around,
/// back-references, `\p{…}`. Counts go to 255, and a pattern to 5,000 steps after its counts are written out.
///
/// All states are followed at once (Thompson), so that no text and no pattern takes longer than text times pattern.
/// Source: ECMAScript 2023, section 22.2; OData URL Conventions 4.01, section 5.1.1.7.1.
public struct Pattern: Hashable, Sendable {
    /// Why a text is no pattern.
    public enum Failure: Error, Hashable, Sendable {
        /// Not a regular expression, with what is wrong.
        case invalid(String)
        /// A regular expression beyond the subset, with the construct.
        case unsupported(String)
    }

    let root: PatternNode
    private let program: PatternProgram

    /// Reads and compiles a pattern.
    public init(_ text: String) throws(Failure) {
        root = try PatternParser.parse(text)
        program = try PatternProgram(root)
    }

    /// Whether any part of the text matches.
    public func matches(_ text: String) -> Bool { program.matches(text) }

    /// The compiled pattern, kept for the next time; `nil` for a text that is none.
    package static func compiled(_ text: String) -> Pattern? {
        if let known = cache.withLock({ $0[text] }) { return known }
        guard let pattern = try? Pattern(text) else { return nil }
        cache.withLock { cache in
            if cache.count >= 64 { cache.removeAll() }
            cache[text] = pattern
        }
        return pattern
    }

    private static let cache = Mutex<[String: Pattern]>([:])
}

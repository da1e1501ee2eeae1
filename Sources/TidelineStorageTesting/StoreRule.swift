// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Testing

/// One thing that every store keeps: a sentence and the test that holds it.
///
///     @Test(arguments: StoreRule.all)
///     func `keeps the rules of every store`(rule: StoreRule) throws {
///         try rule.check(ExampleUnderTest.self)
///     }
public struct StoreRule: Sendable, CustomTestStringConvertible {
    /// The rule as a sentence.
    public let sentence: String
    private let body: @Sendable (World) throws -> Void

    init(_ sentence: String, _ body: @escaping @Sendable (World) throws -> Void) {
        self.sentence = sentence
        self.body = body
    }

    /// Makes a new database of a backend, fills it with the rows of ``StoreFixture`` and tests the rule on it.
    ///
    /// Failed expectations are recorded as issues of the running test.
    public func check(_ backend: any StoreUnderTest.Type) throws {
        try body(World(backend.init()))
    }

    /// What the output of a test run shows.
    public var testDescription: String { sentence }

    /// All rules, in the order of the stages of a store.
    public static let all: [StoreRule] =
        rows + entities + order + notANumber + expansions + questions + search + etags + writes + errors + transactions
        + clients
        + authors
        + conflicts
        + feed + positions + items
}

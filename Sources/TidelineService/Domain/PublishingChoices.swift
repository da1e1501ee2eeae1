// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStorage

/// What was decided about the tables of a domain's database, for the next time that they are read.
///
///     publishing:
///       skip: [staff.hash, Audit]
///       keys: {Totals: [ClientId]}
///       guess: [complex]
///
/// Tables, columns and views by their names in the database.
public struct PublishingChoices: Hashable, Sendable {
    /// Tables, and columns as `table.column`, that are left out.
    public var skipped: Set<String>
    /// The columns that are the keys of views.
    public var keys: [String: [String]]
    /// What is decided although names and constraints only suggest it.
    public var guesses: Set<Guess>

    public init(skipped: Set<String> = [], keys: [String: [String]] = [:], guesses: Set<Guess> = []) {
        self.skipped = skipped
        self.keys = keys
        self.guesses = guesses
    }

    /// These with those of before: nothing that was left out comes in because it is not named again.
    public func adding(to before: PublishingChoices) -> PublishingChoices {
        PublishingChoices(
            skipped: skipped.union(before.skipped),
            keys: before.keys.merging(keys) { $1 },
            guesses: guesses.union(before.guesses)
        )
    }

    /// These without what is to be in the model again.
    public func including(_ names: Set<String>) -> PublishingChoices {
        PublishingChoices(skipped: skipped.subtracting(names), keys: keys, guesses: guesses)
    }

    /// Whether a table, a column or a view is named.
    public func names(_ name: String) -> Bool { skipped.contains(name) || keys[name] != nil }
}

extension PublishingChoices {
    /// Reads the choices of a domain's file.
    ///
    /// - Throws: ``DomainError`` with the line.
    init(_ field: YAMLField) throws(DomainError) {
        let fields = try field.fields(["skip", "keys", "guess"])
        self.init()
        if let skip = fields["skip"] { skipped = Set(try skip.strings()) }
        if let views = fields["keys"] {
            for (view, columns) in try views.members() { keys[view] = try columns.strings() }
        }
        if let guess = fields["guess"] {
            for item in try guess.items() { guesses.insert(try item.choice(Guess.allCases)) }
        }
    }

    /// The lines of a domain's file; none where nothing was chosen.
    var lines: String {
        func list(_ names: [String]) -> String { "[\(names.map { DomainText.quote($0) }.joined(separator: ", "))]" }
        guard self != PublishingChoices() else { return "" }
        var text = "# What stays so when the database is published again.\npublishing:\n"
        if !skipped.isEmpty { text += "  skip: \(list(skipped.sorted()))\n" }
        if !keys.isEmpty {
            let views = keys.sorted { $0.key < $1.key }.map { "\(DomainText.quote($0)): \(list($1))" }
            text += "  keys: {\(views.joined(separator: ", "))}\n"
        }
        if !guesses.isEmpty { text += "  guess: \(list(guesses.map(\.rawValue).sorted()))\n" }
        return text
    }
}

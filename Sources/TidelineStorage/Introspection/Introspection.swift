// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What a scan of a database found: a model of what can be published, and what cannot.
public struct Introspection: Sendable {
    /// Something that keeps a table, a view or a column from being published as it is.
    public struct Problem: Hashable, Sendable {
        /// The table or view, by its name in the database.
        public var table: String
        /// What is wrong and what to do, as plain sentences.
        public var message: String
        /// Whether the table is left out; otherwise the message only tells what was decided.
        public var isRefusal: Bool
        /// Whether nothing should be published before this is repaired: not so for what can well be left out.
        public var stopsPublishing: Bool
        /// Whether it is that something which was named is not there.
        public var isAbsence = false
        /// What would decide otherwise, where the message tells what was seen and not decided.
        public var guess: Guess?

        public init(table: String, message: String, isRefusal: Bool, stopsPublishing: Bool = false) {
            self.table = table
            self.message = message
            self.isRefusal = isRefusal
            self.stopsPublishing = stopsPublishing
        }

        /// A table that cannot be published as it is.
        package static func refusal(_ table: String, _ message: String, stops: Bool = true) -> Problem {
            Problem(table: table, message: message, isRefusal: true, stopsPublishing: stops)
        }

        /// A key that is given for a view that is not there.
        package static func missingView(_ name: String) -> Problem {
            absence(name, "A key is given for the view \(name), but there is no such view.")
        }

        /// A table or a column that is named and not there.
        package static func absence(_ name: String, _ message: String) -> Problem {
            var problem = refusal(name, message)
            problem.isAbsence = true
            return problem
        }

        /// What was seen of a table, and would be decided by a guess that was not asked for.
        package static func hint(_ table: String, _ message: String, _ guess: Guess) -> Problem {
            var problem = Problem(table: table, message: message, isRefusal: false)
            problem.guess = guess
            return problem
        }

        /// What was decided about a table that is published.
        package static func note(_ table: String, _ message: String) -> Problem {
            Problem(table: table, message: message, isRefusal: false)
        }
    }

    /// The model of every table and view that can be published.
    public var model: EntityModel
    public var problems: [Problem]

    /// The problems that leave a table or view out.
    public var refusals: [Problem] { problems.filter(\.isRefusal) }

    /// What was seen and not decided.
    public var hints: [Problem] { problems.filter { $0.guess != nil } }

    public init(model: EntityModel, problems: [Problem]) {
        self.model = model
        self.problems = problems
    }

    /// Names to leave out that no table has: a table that was meant would be published.
    package static func unknown(_ skipping: Set<String>, among tables: [String]) -> [Problem] {
        let known = skipping.filter { name in tables.contains { name == $0 || name.hasPrefix($0 + ".") } }
        return skipping.subtracting(known).sorted().map { name in
            .absence(name, "\(name) is to be left out, but there is no such table. Names count with their case.")
        }
    }

    /// - Throws: ``StorageError/Code/unsupported`` when there are tables, but all of them are refused.
    package func requireSomething() throws {
        guard model.sets.isEmpty, !refusals.isEmpty else { return }
        throw StorageError(.unsupported, message: refusals.map(\.message).joined(separator: " "))
    }

    /// The columns of scope properties by their table, from wire names.
    ///
    /// - Throws: ``StorageError/Code/unsupported`` for a name that the model does not have.
    package static func scopeColumns(
        _ scopes: [String: [String]],
        model: EntityModel
    ) throws -> [String: [String]] {
        var columns: [String: [String]] = [:]
        for (wire, properties) in scopes {
            guard let set = model[set: wire] else {
                throw StorageError(.unsupported, set: wire, message: "The model has no entity set '\(wire)'.")
            }
            columns[set.names.database] = try properties.map { name in
                guard let place = set.type.propertyIndex(wire: name) else {
                    throw StorageError(
                        .unsupported,
                        set: wire,
                        properties: [name],
                        message: "'\(wire)' has no property '\(name)'."
                    )
                }
                return set.type.properties[place].names.database
            }
        }
        return columns
    }
}

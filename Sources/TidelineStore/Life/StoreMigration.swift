// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What leads a store file from one arrangement of an app's data to the next.
///
///     let migrations = [
///         StoreMigration(to: 2, [.renameProperty("Phone", of: "Clients", to: "Mobile")]),
///         StoreMigration(to: 3, [.dropProperty("Fax", of: "Clients"), .retype("Zip", of: "Clients")]),
///     ]
///     let store = try LocalStore.open(path: path, model: model, migrations: migrations)
///
/// New sets, new properties that may be null or have a default, wider integers, and rules need no step: they follow
/// from the model. Steps name sets and properties as on the wire, as the steps before left them. Rows, changes that
/// wait, the quarantine, the conflict log and the values last seen from the server are all carried along, in one
/// transaction.
public struct StoreMigration: Sendable {
    /// One thing that changes.
    public enum Step: Sendable {
        /// The set has another name.
        case renameSet(String, to: String)
        /// The set is gone, with its rows.
        ///
        /// Changes of it that wait are told by ``LocalStore/droppedChanges()``.
        case dropSet(String)
        /// The property has another name.
        case renameProperty(String, of: String, to: String)
        /// The property is gone, with its values.
        ///
        /// Changes of it that wait are told by ``LocalStore/droppedChanges()``.
        case dropProperty(String, of: String)
        /// The value of a property in rows that have none: of a new property, or of one that may be null no longer.
        case fill(String, of: String, with: Value)
        /// The property has the type that the model says now.
        ///
        /// `convert` gets each value that is not null, as the type before had it; what it returns has to fit the new
        /// one. Without it numbers are converted exactly and others by their text; a value that does not fit ends the
        /// migration with an error.
        case retype(String, of: String, convert: (@Sendable (Value) throws -> Value)? = nil)
        /// One property becomes several: `split` gets the value, null too, and returns one for each new property.
        case splitProperty(String, of: String, into: [String], split: @Sendable (Value) throws -> [Value])
        /// Properties move to a set of their own whose entities have the keys of this one's.
        case splitSet(String, moving: [String], to: String)
    }

    /// The data version of a file after the steps, 2 or more; a new file has that of the last migration.
    public var version: Int
    public var steps: [Step]

    public init(to version: Int, _ steps: [Step]) {
        self.version = version
        self.steps = steps
    }
}

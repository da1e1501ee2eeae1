// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An error of a store.
public struct StorageError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// An entity with this key exists.
        case duplicateKey
        /// Another entity has this value of a unique property.
        case duplicateValue
        /// A foreign key names an entity that does not exist, or an entity is still referred to.
        case missingReference
        /// A CHECK or a trigger of the database refused the change.
        case constraint
        /// A value does not fit its property or its column.
        case invalidValue
        /// A property that is not nullable got no value.
        case nullValue
        /// A stored value does not fit its property's storage form.
        case unreadableValue
        /// The position in the change log cannot be served: what follows it was compacted away.
        case gone
        /// The position is of another epoch: the log was begun anew, as after lost capture was restored.
        case epochChanged
        /// The position names an entry that this log does not have: a backup was restored.
        case logRestored
        /// The database stayed locked.
        case busy
        /// The database's server cannot be reached, or the connection to it was lost.
        case unavailable
        /// A statement took longer than the store allows.
        case timeout
        /// No space is left, or a limit on the file's size is reached.
        case full
        /// The file is damaged or is no database.
        case corrupt
        /// A value to compare with is one that this database has no form for, as text with U+0000.
        case unsupportedValue
        /// The tables no longer fit the model.
        case schemaChanged
        /// Reading or writing the file failed.
        case io
        /// An operation gave more rows than the call allows.
        case tooManyRows
        /// The model or plan asks for what this store cannot do.
        case unsupported
        /// The database does not take a request that is nested so deep, or so long.
        case tooComplex
    }

    public var code: Code
    /// The wire name of the entity set, where one is concerned.
    public var set: String?
    /// The wire names of the properties concerned.
    public var properties: [String]
    /// What happened, for a developer; no value of any entity stands in it.
    public var message: String
    /// What the database's owner raised for ``Code/constraint`` (`RAISE` in a trigger or a routine): the one text of a
    /// database that is meant for users, and is passed on to them.
    public var raised: String?

    public init(_ code: Code, set: String? = nil, properties: [String] = [], message: String) {
        self.code = code
        self.set = set
        self.properties = properties
        self.message = message
    }

    /// A refusal with the text that the database's owner raised.
    ///
    /// - Parameter other: what happened, where that text is empty.
    package init(raised text: String, orElse other: String) {
        self.init(.constraint, message: text.isEmpty ? other : text)
        raised = text.isEmpty ? nil : text
    }
}

extension StorageError: CustomStringConvertible {
    /// What stands in the log of an administrator.
    ///
    ///     duplicateValue of Seats.Number: Another entity has this value.
    public var description: String {
        let places = properties.map { property in set.map { "\($0).\(property)" } ?? property }
        let names = places.isEmpty ? set ?? "" : places.joined(separator: ", ")
        return code.rawValue + (names.isEmpty ? "" : " of \(names)") + ": \(message)"
    }
}

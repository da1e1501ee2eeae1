// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// An error of a device's store.
public struct LocalStoreError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The file does not exist.
        case notFound
        /// The file to create exists.
        case exists
        /// The file is no store of Tideline.
        case foreignFile
        /// The file is damaged.
        case corrupt
        /// The briefcase is damaged.
        case damagedBriefcase
        /// A newer release of Tideline wrote the file.
        case newerFormat
        /// A newer release of the app wrote the file: it has what the app's model does not know.
        case newerVersion
        /// The file differs from the app's model in a way that needs a step of a ``StoreMigration``.
        case migrationNeeded
        /// Another process migrated the file; it has to be opened again.
        case modelChanged
        /// Changes wait that would be lost; ``LocalStoreError/changes`` lists them.
        case pendingChanges
        /// The model has no such entity set.
        case unknownSet
        /// The entity type has no such property.
        case unknownProperty
        /// The property was not read, so a row has no value of it.
        case notLoaded
        /// A value does not have the type, length, precision or range of its property.
        case invalidValue
        /// A property that is not nullable got no value.
        case nullValue
        /// The key is missing, has another number of values, or may not be given or changed.
        case invalidKey
        /// An entity with this key exists.
        case duplicateKey
        /// Another entity has this value of a unique property.
        case duplicateValue
        /// A foreign key names an entity that does not exist.
        case missingReference
        /// An entity that others refer to cannot be deleted.
        case stillReferenced
        /// An entity breaks a rule of its type.
        case brokenRule
        /// The entity set, or the property, can only be read.
        case readOnly
        /// There is no such entity, conflict or quarantined transaction.
        case noSuchEntry
        /// The transaction is larger than the server takes.
        case tooLarge
        /// More waits to be sent than ``StoreSettings`` allow; nothing was written.
        case outboxFull
        /// SQL that is not allowed in `raw`, or that SQLite refused.
        case invalidSQL
        /// The file stayed locked.
        case busy
        /// No space is left, or a limit on the file's size is reached.
        case full
        /// Reading or writing the file failed.
        case io
        /// The store was closed.
        case closed
        /// The store is suspended: it takes no writes until it is resumed.
        case suspended
        /// The store cannot do what was asked.
        case unsupported
    }

    public var code: Code
    /// The wire name of the entity set, where one is concerned.
    public var set: String?
    /// The wire names of the properties concerned.
    public var properties: [String]
    /// What happened and what to do; no value of any entity stands in it.
    ///
    /// For a save that was refused, the messages of its first failures, each on a line.
    public var message: String
    /// The changes that wait, for ``Code/pendingChanges``.
    public var changes: [Change] = []
    /// All that a save broke, the first of which gave the code: a thousand at the most, and none for other errors.
    public var failures: [ValidationFailure] = []

    public init(_ code: Code, set: String? = nil, properties: [String] = [], message: String) {
        self.code = code
        self.set = set
        self.properties = properties
        self.message = message
    }
}

extension LocalStoreError: CustomStringConvertible {
    public var description: String { message }
}

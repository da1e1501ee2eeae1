// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a call of an entity service did not succeed: the same for every place where entities are kept.
public struct EntityServiceError: Error, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// There is no entity of this key.
        case notFound
        /// An entity with this key exists.
        case duplicateKey
        /// Another entity has this value of a unique property.
        case duplicateValue
        /// A value does not fit its property, or a rule of the model refuses the entity.
        case invalid
        /// A reference would lead to no entity: one is named that is not there, or one that others refer to would go.
        case brokenReference
        /// Somebody else changed the entity since it was read.
        case conflict
        /// The entities can only be read.
        case readOnly
        /// Nobody is signed in, or the user may not do this.
        case notAllowed
        /// The service leads to another host, where nothing is sent.
        case untrustedHost
        /// The service cannot be reached now, or the file is in use.
        case unavailable
        /// The file is full, damaged or cannot be read.
        case storage
        /// The entity and what is kept do not fit: another set, another property, another type.
        case unfit
        /// The call was cancelled.
        case cancelled
        /// It was refused for another reason.
        case refused
    }

    public var code: Code
    /// The wire name of the entity set.
    public var set: String
    /// The wire names of the properties concerned, where they are known.
    public var properties: [String]
    /// What happened, a sentence.
    public var message: String
    /// The error of the store or of the client that this one tells of.
    public var cause: (any Error)?

    public init(
        _ code: Code,
        set: String,
        properties: [String] = [],
        message: String,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.set = set
        self.properties = properties
        self.message = message
        self.cause = cause
    }
}

extension EntityServiceError: CustomStringConvertible {
    public var description: String { message }
}

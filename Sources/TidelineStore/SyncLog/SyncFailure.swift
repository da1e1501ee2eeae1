// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a sync failed, in words for a person.
public struct SyncFailure: Hashable, Sendable {
    /// Whose turn it is.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// The service is not reached: the device is offline, or the network is not what it should be.
        case offline
        /// The service, or the device, is not able now; it passes without anybody's doing.
        case passing
        /// A person has to do something: sign in, make room, ask the administrator.
        case needsPerson
    }

    public var kind: Kind
    /// A stable name of the cause, such as `unreachable` or `signInRequired`.
    public var code: String
    /// What happened, a sentence.
    public var message: String
    /// What to do next, a sentence, or empty where nothing can be done.
    public var advice: String

    public init(_ kind: Kind, code: String, message: String, advice: String) {
        self.kind = kind
        self.code = code
        self.message = message
        self.advice = advice
    }
}

extension SyncFailure: CustomStringConvertible {
    public var description: String { advice.isEmpty ? message : "\(message) \(advice)" }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStore

/// Why a sync, a clone or a comparison could not be done, where neither the network nor the store is the cause.
public struct SyncError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The store does not know its service.
        case noService
        /// Rows were changed on the service again and again while their changes were being sent.
        case keepsChanging
        /// The service takes back its delta links as fast as it gives them.
        case keepsExpiring
        /// The service does not have what a subscription names.
        case unknownSet
        /// A set has another key at the service than here, or a property another type.
        case setChanged
        /// The store belongs to another user, as it says itself or as the service knows it.
        case otherUser
        /// The store belongs to another service, or to its service at another address.
        case otherService
        /// The service speaks an older version of OData than changes are sent in.
        case olderProtocol
        /// Transactions of this device are in quarantine; ``SyncError/quarantined`` lists them.
        case quarantined
        /// The answer to a batch does not fit the batch.
        case unexpectedAnswer
    }

    public var code: Code
    /// What happened, a sentence.
    public var message: String
    /// What to do next, a sentence.
    public var advice: String
    /// The transactions that are in quarantine, oldest first, for ``Code/quarantined``.
    public var quarantined: [QuarantinedTransaction] = []

    public init(_ code: Code, _ message: String, advice: String) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}

extension SyncError: CustomStringConvertible {
    public var description: String { "\(message) \(advice)" }
}

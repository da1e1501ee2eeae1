// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStore

/// Which properties of a set a store has and its service not, or the other way round.
///
/// A store keeps the model that it was cloned or made with, and goes on with what both have.
public struct PropertyDifference: Hashable, Sendable {
    /// The wire name of the entity set.
    public var set: String
    /// The wire names of the properties that only the service has.
    public var onlyThere: [String]
    /// The wire names of the properties that only the store has.
    public var onlyHere: [String]

    public init(set: String, onlyThere: [String] = [], onlyHere: [String] = []) {
        self.set = set
        self.onlyThere = onlyThere
        self.onlyHere = onlyHere
    }

    /// - Parameters:
    ///   - subscription: where it names properties, no others are missed.
    ///   - store: the set as the store has it.
    ///   - service: the set as the service has it for the user.
    /// - Returns: `nil` where both have the same.
    init?(_ subscription: Subscription, store: EntitySet, service: EntitySet) {
        let (mine, theirs) = (Self.names(store.type), Self.names(service.type))
        self.init(
            set: subscription.set,
            onlyThere: subscription.properties == nil ? theirs.filter { !mine.contains($0) } : [],
            onlyHere: mine.filter { !theirs.contains($0) }
        )
        if onlyThere.isEmpty, onlyHere.isEmpty { return nil }
    }

    /// What can be in both: not what a type does not declare.
    private static func names(_ type: EntityType) -> [String] {
        type.wireProperties.filter { $0 != type.dynamicProperty }.map { type.properties[$0].names.wire }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineClient
public import TidelineModel

/// How the content of a store and that of its service compare.
public struct VerifyReport: Hashable, Sendable {
    /// One row in which they differ.
    public struct Difference: Hashable, Sendable {
        /// How a row differs.
        public enum Kind: String, Hashable, Sendable {
            /// The service has the row, the store does not.
            case missingHere
            /// The store has the row, the service does not, or does not show it.
            case missingThere
            /// Both have it, with other values.
            case values
            /// Both have it, and the store's file holds a value that is none of its type.
            case unreadableHere
            /// It has changes that wait or are in quarantine, so it may differ.
            case pending
        }

        /// The wire name of the entity set.
        public var set: String
        public var key: Key
        public var kind: Kind
        /// The wire names of the properties whose values differ.
        public var properties: [String]

        public init(set: String, key: Key, kind: Kind, properties: [String] = []) {
            self.set = set
            self.key = key
            self.kind = kind
            self.properties = properties
        }
    }

    /// The rows of the service that were compared, by set, in the order of comparison.
    public var compared: [(set: String, rows: Int)] = []
    public var differences: [Difference] = []
    /// The sets that the service refused or failed to give, and were not compared.
    public var failures: [(set: String, error: ClientError)] = []
    /// The sets of which the service has other properties than the store; empty where it does not say which it has.
    public var properties: [PropertyDifference] = []

    public init() {}

    /// Whether both hold the same rows, as far as the user may read them, and the same values of what both have.
    public var isEqual: Bool { differences.isEmpty && failures.isEmpty }

    public static func == (left: VerifyReport, right: VerifyReport) -> Bool {
        left.differences == right.differences && left.compared.elementsEqual(right.compared, by: ==)
            && left.failures.elementsEqual(right.failures, by: ==) && left.properties == right.properties
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(differences)
        hasher.combine(properties)
        for entry in compared {
            hasher.combine(entry.set)
            hasher.combine(entry.rows)
        }
    }
}

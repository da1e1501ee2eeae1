// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What a database does beyond what a model says: checks, computed columns, deferred foreign keys, views.
public struct MemoryRules: Sendable {
    /// A read-only set whose entities are some of another set's, with some of their properties.
    public struct View: Sendable {
        /// The wire name of the other set.
        public var source: String
        /// For each property of the view the place of the other set's property.
        public var columns: [Int]
        /// Which entities, or `nil` for all; over the other set.
        public var filter: TypedExpression?

        public init(source: String, columns: [Int], filter: TypedExpression? = nil) {
            self.source = source
            self.columns = columns
            self.filter = filter
        }
    }

    /// Conditions that no entity may make false, by the wire name of the set.
    public var checks: [String: [TypedExpression]]
    /// The values of computed properties by their places, by the wire name of the set.
    public var computed: [String: [Int: TypedExpression]]
    /// The wire names of references that are checked at the end of the transaction, by the wire name of the set that
    /// holds the foreign key.
    public var deferred: [String: Set<String>]
    /// The views by the wire name of their set.
    public var views: [String: View]

    public init(
        checks: [String: [TypedExpression]] = [:],
        computed: [String: [Int: TypedExpression]] = [:],
        deferred: [String: Set<String>] = [:],
        views: [String: View] = [:]
    ) {
        self.checks = checks
        self.computed = computed
        self.deferred = deferred
        self.views = views
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Which changes of one entity set to list.
public struct ChangeQuery: Sendable {
    public var set: EntitySet
    /// The position after which changes count.
    public var since: FeedPosition
    /// A scope that narrows the cost: only entities whose property had or has this value. Never the only check.
    public var scope: Scope?

    /// A policy property and the value that the user's rows have.
    public struct Scope: Hashable, Sendable {
        public var property: Int
        public var value: Value

        public init(property: Int, value: Value) {
            self.property = property
            self.value = value
        }
    }

    public init(set: EntitySet, since: FeedPosition, scope: Scope? = nil) {
        self.set = set
        self.since = since
        self.scope = scope
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Which changes of one entity set to list.
public struct ChangeQuery: Sendable {
    public var set: EntitySet
    /// The position after which changes count.
    public var since: FeedPosition
    /// Where the page before ended, or `nil`: only keys whose last change is after it.
    ///
    /// Before-images count from `since`.
    public var after: FeedPosition?
    /// The most keys to push, or `nil`.
    public var limit: Int?
    /// A scope that narrows the cost: only entities whose property had or has this value.
    ///
    /// Never the only check.
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

    public init(
        set: EntitySet,
        since: FeedPosition,
        after: FeedPosition? = nil,
        limit: Int? = nil,
        scope: Scope? = nil
    ) {
        self.set = set
        self.since = since
        self.after = after
        self.limit = limit
        self.scope = scope
    }
}

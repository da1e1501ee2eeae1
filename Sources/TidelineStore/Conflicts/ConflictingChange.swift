// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One property that this device and the server gave different values: what a function of the app decides over.
public struct ConflictingChange: Hashable, Sendable {
    /// The wire name of the entity set.
    public var set: String
    public var key: Key
    /// The wire name of the property.
    public var property: String
    /// The value that both changes were made on.
    public var base: Value
    /// The value given on this device.
    public var mine: Value
    /// The value on the server.
    public var theirs: Value

    public init(set: String, key: Key, property: String, base: Value, mine: Value, theirs: Value) {
        self.set = set
        self.key = key
        self.property = property
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }
}

/// A function of the app that finds the value of a property that both sides changed, or `nil` where it cannot: then the
/// fallback of the policy decides.
///
/// The result should depend on the three values alone, so that every device comes to the same, and be its own merge: it
/// may be asked again with its own result as `theirs`.
public typealias ConflictFunction = @Sendable (ConflictingChange) -> Value?

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A value, or a whole row, that lost against another: kept so that it can be seen and restored.
public struct Conflict: Hashable, Sendable, Identifiable {
    /// Why two changes met.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// Both sides gave properties other values.
        case update
        /// Deleted here, changed on the server: the row stays, unless the policy of its type lets the deletion win.
        case deletedHere
        /// Changed here, deleted on the server: the row is inserted again, unless the policy of its type lets the server
        /// win.
        case deletedThere
    }

    /// One property that both sides changed.
    public struct Property: Hashable, Sendable {
        /// The wire name.
        public var name: String
        /// The value that both changes were made on.
        public var base: Value
        /// The value given on this device.
        public var mine: Value
        /// The value on the server.
        public var theirs: Value
        /// Whether the value of this device was kept, alone or joined with the other.
        public var mineWon: Bool
        /// Whether it was joined with the other, as by a counter: both count, and neither lost.
        public var isJoined: Bool
        /// Whether a person is still to decide; the server's value is shown meanwhile.
        public var isOpen: Bool

        public init(
            name: String,
            base: Value,
            mine: Value,
            theirs: Value,
            mineWon: Bool,
            isJoined: Bool = false,
            isOpen: Bool = false
        ) {
            self.name = name
            self.base = base
            self.mine = mine
            self.theirs = theirs
            self.mineWon = mineWon
            self.isJoined = isJoined
            self.isOpen = isOpen
        }
    }

    public var id: Int64
    /// The wire name of the entity set.
    public var set: String
    public var key: Key
    public var kind: Kind
    /// The properties in which the two differ, in the order of the entity type; all of them where a whole row lost.
    public var properties: [Property]
    /// The number of the local transaction.
    public var transaction: Int64
    /// When it was noticed, by this device's clock; for display only.
    public var noticedAt: DateTimeOffset

    /// Whether the change waits in the quarantine until a person decides, with ``LocalStore/resolve(conflict:_:)``.
    public var isOpen: Bool { properties.contains(where: \.isOpen) }

    /// Whether what this device did counts.
    public var mineWon: Bool {
        switch kind {
        case .update, .deletedHere: properties.contains(where: \.mineWon)
        case .deletedThere: properties.isEmpty || properties.contains(where: \.mineWon)
        }
    }

    public init(
        id: Int64,
        set: String,
        key: Key,
        kind: Kind,
        properties: [Property],
        transaction: Int64,
        noticedAt: DateTimeOffset
    ) {
        self.id = id
        self.set = set
        self.key = key
        self.kind = kind
        self.properties = properties
        self.transaction = transaction
        self.noticedAt = noticedAt
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What lost when two wrote the same row: kept in the published database, so that it can be seen and restored.
///
/// The values are JSON objects of OData, by wire names: they can be read whatever becomes of the model.
public struct LoggedConflict: Hashable, Sendable, Identifiable {
    /// How it came about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A write named no version of the row, so that it may have overwritten what its writer had not seen.
        case unseen
        /// A device was refused because the row had changed meanwhile: what it wanted is what lost, for now.
        case refused
        /// A device wrote properties again that it had been refused for, as the conflict policy decided: what it replaced
        /// in them is what lost.
        case decided
    }

    /// The number of the entry; 0 before it is stored.
    public var id: Int64 = 0
    public var kind: Kind
    /// The wire name of the entity set.
    public var set: String
    /// The key as a URL has it, not percent-encoded: `(42)`, `(OrderID=1,Line=2)`.
    public var key: String
    /// The values that lost; `nil` where a deletion lost.
    public var lost: String?
    /// The values that won, of the same properties; `nil` where the row was deleted.
    public var won: String?
    /// Whose write it was, or `nil` for nobody who signed in.
    public var user: String?
    /// The device that wrote, or `nil` for a client that is none.
    public var client: String?
    /// The device's identifier of the request.
    public var request: String?
    /// The conflict policies that the model states for the properties.
    public var policy: String?
    /// When, in seconds from 1970 by the server's clock; for people and for its age.
    public var time: Int64
    /// Whether the entry is of a device that was refused, and this device has not written the row since.
    ///
    /// Any change of the row that is accepted ends it, whatever the property. A device that gives its values up has nothing
    /// to write: its entry stays open.
    public var isOpen = false
    /// When the values were restored, in seconds from 1970, or `nil`.
    public var restoredAt: Int64?

    public init(kind: Kind, set: String, key: String, lost: String?, won: String?, time: Int64) {
        self.kind = kind
        self.set = set
        self.key = key
        self.lost = lost
        self.won = won
        self.time = time
    }
}

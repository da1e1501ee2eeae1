// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What `@Reference` says: where the foreign key of an entity leads.
public struct ReferenceDescription: Sendable {
    /// The navigation property on the wire.
    public let wire: String
    /// The navigation property in code.
    public let code: String
    /// The entity that it leads to.
    ///
    /// Its description is asked for when it is needed, so that references may go round.
    public let target: Any.Type
    /// What becomes of this entity when the other is deleted.
    public let onDelete: NavigationProperty.DeleteRule
    /// The navigation property on the wire that leads back.
    public let inverse: String?

    public init(
        wire: String,
        code: String,
        to target: Any.Type,
        onDelete: NavigationProperty.DeleteRule = .none,
        inverse: String? = nil
    ) {
        self.wire = wire
        self.code = code
        self.target = target
        self.onDelete = onDelete
        self.inverse = inverse
    }
}

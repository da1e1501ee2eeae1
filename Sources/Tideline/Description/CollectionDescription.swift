// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What `@HasMany` says: which entities refer to this one.
public struct CollectionDescription: Sendable {
    /// The navigation property on the wire.
    public let wire: String
    /// The navigation property in code.
    public let code: String
    /// The entity of the many.
    ///
    /// Its description is asked for when it is needed, so that relationships may go round.
    public let target: Any.Type
    /// The navigation property of the target's reference that leads back, on the wire.
    public let inverse: String
    /// What becomes of the many when this entity is deleted.
    public let onDelete: NavigationProperty.DeleteRule

    public init(
        wire: String,
        code: String,
        of target: Any.Type,
        inverse: String,
        onDelete: NavigationProperty.DeleteRule = .none
    ) {
        self.wire = wire
        self.code = code
        self.target = target
        self.inverse = inverse
        self.onDelete = onDelete
    }
}

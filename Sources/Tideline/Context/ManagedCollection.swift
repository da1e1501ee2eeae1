// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// The objects at the many end of a relationship, as they stand in the context.
///
///     let sessions = track.collection(of: Session.self, by: \.track)
///     try sessions.add(session)              // session.related(\.track) is the track
public struct ManagedCollection<Element: Queryable> {
    let owner: ManagedRow
    /// The name on the wire of the elements' reference to the owner.
    let navigation: String

    /// All of them, in the order of their keys.
    public func all() throws -> [Managed<Element>] {
        try owner.rows(of: Element.entityDescription.set, referringBy: navigation).map { Managed($0) }
    }

    /// Adds an object: it refers to the owner from then on.
    public func add(_ element: Managed<Element>) throws { try element.row.relate(navigation, to: owner) }

    /// Takes an object out: it refers to nothing then.
    ///
    /// An object of another owner stays there.
    public func remove(_ element: Managed<Element>) throws {
        guard try element.row.related(navigation) === owner else { return }
        try element.row.relate(navigation, to: nil)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The path of a request below the service root, cut into segments, names not looked up yet.
///
///     Orders(42)/Client/ClientName/$value
///     \________/ \____/ \________/ \____/
///        name     name     name    value
///
/// Source: OData URL Conventions 4.01, section 4.
public struct ResourcePath: Hashable, Sendable {
    /// One segment.
    public enum Segment: Hashable, Sendable {
        /// An entity set, a property or a navigation property, perhaps with a key.
        case name(String, key: KeyPredicate?)
        /// `/$count`.
        case count
        /// `/$value`.
        case value
        /// `/$ref`.
        case ref
        /// `$metadata`.
        case metadata
        /// `$batch`.
        case batch
        /// `$1` as the first segment of a request in a batch: the entity that the earlier request made or addressed.
        case reference(String)
    }

    /// The segments; none for the service document.
    public var segments: [Segment]

    public init(_ segments: [Segment]) {
        self.segments = segments
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a service can do beside holding its model: the one place that `$metadata` and the OpenAPI document tell it from.
///
/// What is not supported is annotated so; a service that answers 501 to something says it here.
/// Source: OData vocabulary Capabilities V1.
public struct ServiceCapabilities: Hashable, Sendable {
    /// Whether delta links are given.
    public var tracksChanges = true
    /// How many days a delta link is good for, where a limit is set.
    public var deltaRetentionInDays: Int?
    /// After how many changes of the service a delta link may be good no longer, where a limit is set.
    public var deltaRetentionInChanges: Int?
    /// The longest request body in bytes, where a limit is set.
    public var maxBodyInBytes: Int?
    /// The most requests of a batch, where a limit is set.
    public var maxBatchRequests: Int?
    /// The most levels of `$expand`, where a limit is set.
    public var maxExpandLevels: Int?
    /// The most entities of a page, where a limit is set.
    public var maxPageSize: Int?
    /// Whether `Prefer: respond-async` is honoured.
    public var respondsAsynchronously = false
    /// Whether batches in `multipart/mixed` are taken, beside those in JSON.
    public var takesMultipartBatch = false
    /// Whether an entity can be inserted together with related ones.
    public var insertsDeeply = false
    /// Whether an update can change related entities too.
    public var updatesDeeply = false
    /// Whether a set takes a delta payload by PATCH.
    public var takesDeltaPayloads = false
    /// Whether `/$filter(…)/$each` can be updated and deleted.
    public var changesFilteredSets = false
    /// Whether a PATCH or PUT of an absent key inserts.
    public var upserts = true
    /// Whether `$search` works on sets with searchable properties.
    public var searches = false
    /// Whether `$compute` works.
    public var computes = false
    /// The transformations of `$apply` that work; empty for none.
    public var transformations: [String] = []
    /// Whether `$crossjoin` works.
    public var crossJoins = false
    /// Whether a key can be given as a path segment.
    public var takesKeyAsSegment = false
    /// Whether `$query` takes query options by POST.
    public var takesQuerySegment = false
    /// Whether requests are repeatable.
    public var repeatsRequests = true
    /// The functions of filters beside those of OData 4.0, by their names.
    public var filterFunctions: [String] = Self.canonicalFunctions
    /// The level of conformance that is claimed.
    public var conformance = Conformance.advanced

    /// A level of conformance.
    ///
    /// Source: OData Protocol 4.01, section 13.
    public enum Conformance: String, Hashable, Sendable {
        case minimal = "Minimal"
        case intermediate = "Intermediate"
        case advanced = "Advanced"
    }

    /// The canonical functions that every Tideline service has.
    public static let canonicalFunctions = Expression.Function.allCases.map(\.rawValue)

    public init() {}
}

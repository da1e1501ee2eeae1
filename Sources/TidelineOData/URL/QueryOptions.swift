// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The system query options of a request, parsed; names are not looked up in a model yet.
///
/// Parameter aliases (`@p`) have been put in their places.
/// Source: OData URL Conventions 4.01, section 5.
public struct QueryOptions: Hashable, Sendable {
    public var filter: Expression?
    public var orderBy: [OrderByItem] = []
    public var top: Int?
    public var skip: Int?
    /// `nil` when there is no `$select`.
    public var select: [SelectItem]?
    public var expand: [ExpandItem] = []
    /// Whether `$count=true`.
    public var count = false
    public var search: SearchExpression?
    public var compute: [ComputeItem] = []
    /// The transformations of `$apply`, in their order; `nil` when there is no `$apply`.
    public var apply: [Transformation]?
    /// How deep an item of `$expand` goes.
    public var levels: ExpandLevels?
    /// Where an item is added to an ordered collection; negative from the end.
    public var index: Int?
    /// The value of `$schemaversion`, `*` for the newest.
    public var schemaVersion: String?
    /// The opaque value of `$skiptoken`.
    public var skipToken: String?
    /// The opaque value of `$deltatoken`.
    public var deltaToken: String?
    /// The value of `$format`.
    public var format: String?
    /// The value of `$id`: of a request for an entity by its id, or one that removes a reference.
    public var id: String?
    /// The values of parameter aliases by name, without `@`: also those that no expression uses, for implicit parameters.
    public var aliases: [String: Expression] = [:]
    /// The decoded values of other options by name, such as implicit parameters of 4.01; none is empty text.
    public var custom: [String: String] = [:]

    public init() {}
}

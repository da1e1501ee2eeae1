// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The system query options of a request, parsed; names are not looked up in a model yet.
///
/// Parameter aliases (`@p`) have been put in their places. Custom options are ignored.
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
    /// The opaque value of `$skiptoken`.
    public var skipToken: String?
    /// The opaque value of `$deltatoken`.
    public var deltaToken: String?
    /// The value of `$format`.
    public var format: String?
    /// The value of `$id`, of a request that removes a reference.
    public var id: String?

    public init() {}
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The receiver of rows: a store pushes the values of each row into it and keeps nothing.
///
///     beginRow  value value value …  (beginExpansion  rows…  moreFollow?  endExpansion)…  endRow
///
/// For each row the store calls exactly one of the value methods for each column of the plan, in the plan's order;
/// the sink knows the plan, so no name or type travels with a value. Then the expansions follow, in the plan's order,
/// each with the rows of its own plan. Buffers are valid during the call only.
public protocol RowSink: AnyObject {
    /// A row begins.
    func beginRow()
    /// The next column is null.
    func null()
    /// The next column is a Boolean.
    func boolean(_ value: Bool)
    /// The next column is of an integer type.
    func integer(_ value: Int64)
    /// The next column is `Edm.Double` or `Edm.Single`.
    func double(_ value: Double)
    /// The next column as text: a string as it is, or the canonical OData text of a decimal, GUID, date, time of day,
    /// moment or duration. Valid UTF-8.
    func text(_ utf8: UnsafeRawBufferPointer)
    /// The next column is `Edm.Binary`.
    func binary(_ bytes: UnsafeRawBufferPointer)
    /// The next column holds no value of its type: null stands in its place.
    ///
    /// Without an implementation it is ``null()``.
    ///
    /// - Parameter held: what the column holds, as text, where it has one that is short enough to be told.
    func exception(_ held: String?)
    /// The rows of the plan's expansion at `index` begin.
    func beginExpansion(_ index: Int)
    /// More related entities follow than a page of the expansion at hand has.
    ///
    /// Without an implementation nothing is noted.
    ///
    /// - Parameter place: the values of the order's keys in its last row, where the next page goes on.
    func moreFollow(after place: [Value])
    /// The rows of that expansion are complete.
    ///
    /// - Parameter count: the number of all related entities that match, where the plan asks for it.
    func endExpansion(_ index: Int, count: Int?)
    /// The row is complete.
    ///
    /// - Parameter etag: the version of the whole entity, where the plan asks for it.
    func endRow(etag: ETag?)
}

extension RowSink {
    public func exception(_ held: String?) { null() }
    public func moreFollow(after place: [Value]) {}
}

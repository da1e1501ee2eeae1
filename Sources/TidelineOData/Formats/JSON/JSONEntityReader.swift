// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reads a page of entities and pushes its rows into a sink, in the order of the shape's columns.
///
/// The page is never held as a tree: what comes in the shape's order is pushed while it is read. Members that the shape
/// does not have are passed over; columns that the page does not have are null.
/// Source: OData JSON Format 4.01, sections 4.5, 7, 12 and 15.
public struct JSONEntityReader {
    /// What stands around the rows.
    public struct Page: Hashable, Sendable {
        public var context: String?
        /// The number of all entities that match, where it was asked for.
        public var count: Int?
        public var nextLink: String?
        public var deltaLink: String?
        /// How many rows were pushed.
        public var rows = 0
        /// How many removed entities were passed on.
        public var removed = 0

        public init() {}
    }

    private let shape: RowShape

    public init(shape: RowShape) {
        self.shape = shape
    }

    /// Reads a collection; rows go to `sink`, removed entities too where it is a ``DeltaSink``.
    ///
    /// - Throws: ``ODataError`` with the offset in the body; rows before it were pushed.
    public func readPage(_ body: [UInt8], into sink: some RowSink) throws(ODataError) -> Page { Page() }

    /// Reads one entity that is the whole body.
    public func readEntity(_ body: [UInt8], into sink: some RowSink) throws(ODataError) {}
}

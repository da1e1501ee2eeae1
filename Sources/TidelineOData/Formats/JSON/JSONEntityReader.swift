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
        /// Of how many values of each property the service said that they are none of its type; they came as null.
        public var exceptions: [String: Int] = [:]

        public init() {}
    }

    private let shape: ReadableShape

    public init(shape: RowShape) {
        self.shape = ReadableShape(shape)
    }

    /// Reads a collection; rows go to `sink`, removed entities too where it is a ``DeltaSink``.
    ///
    /// - Throws: ``ODataError`` with the offset in the body; rows before it were pushed.
    public func readPage(_ body: [UInt8], into sink: some RowSink) throws(ODataError) -> Page {
        try readPage(body[...], into: sink)
    }

    /// The same for a part of a larger body, such as the answer to one request of a batch.
    public func readPage(_ body: ArraySlice<UInt8>, into sink: some RowSink) throws(ODataError) -> Page {
        var rows = RowReader(sink: sink)
        return try JSONReader.read(body) { reader throws(ODataError) in
            var page = Page()
            var hasValue = false
            try reader.beginObject()
            var isFirst = true
            while let name = try reader.nextName(&isFirst) {
                switch ControlName(try reader.string(name)) {
                case .control("context"): page.context = try reader.stringValue()
                case .control("count"): page.count = try reader.countValue()
                case .control("nextLink"): page.nextLink = try reader.stringValue()
                case .control("deltaLink"): page.deltaLink = try reader.stringValue()
                case .plain("value"):
                    guard !hasValue else { throw ODataError(.invalidBody, "value is there twice.", at: reader.offset) }
                    hasValue = true
                    try reader.beginArray()
                    var isFirstRow = true
                    while try reader.nextElement(&isFirstRow) { try rows.read(&reader, shape) }
                case .plain("error"):
                    let range = try reader.skipValueRange()
                    throw ErrorBody.read(Array("{\"error\":".utf8) + reader.copy(range) + Array("}".utf8))
                        ?? ODataError(.invalidBody, "The body is an error.")
                default: try reader.skipValue()
                }
            }
            guard hasValue else { throw ODataError(.invalidBody, "The body has no value.", target: "value") }
            page.rows = rows.rows
            page.removed = rows.removed
            page.exceptions = rows.exceptions
            return page
        }
    }

    /// Reads one entity that is the whole body.
    ///
    /// - Returns: how many values of each property were told as exceptions, by the names of the properties.
    @discardableResult
    public func readEntity(_ body: [UInt8], into sink: some RowSink) throws(ODataError) -> [String: Int] {
        try readEntity(body[...], into: sink)
    }

    /// The same for a part of a larger body.
    @discardableResult
    public func readEntity(_ body: ArraySlice<UInt8>, into sink: some RowSink) throws(ODataError) -> [String: Int] {
        var rows = RowReader(sink: sink, tracksRemoved: false)
        try JSONReader.read(body) { reader throws(ODataError) in try rows.read(&reader, shape) }
        return rows.exceptions
    }
}

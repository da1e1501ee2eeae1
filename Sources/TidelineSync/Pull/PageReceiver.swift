// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore

/// What receives the rows of a set that come on several pages: one page after the other, on any thread.
final class PageReceiver: Sendable {
    /// Held while a page is received.
    private let sink: Mutex<HiddenTableSink>

    init(_ sink: sending HiddenTableSink) {
        self.sink = Mutex(sink)
    }

    /// Receives a page of a first load, and stores it.
    ///
    /// - Throws: `ClientError` when the page cannot be read, or has what no row of the set is; else `LocalStoreError`.
    func load(_ body: [UInt8], shape: RowShape) throws -> JSONEntityReader.Page {
        try sink.withLock { sink in
            let page = try Self.read(body, shape, sink, into: sink)
            try Self.store(sink)
            return page
        }
    }

    /// Receives a page of a delta; the last one is stored with what is left of those before.
    ///
    /// - Throws: as ``load(_:shape:)``.
    func stage(_ body: [UInt8], shape: RowShape) throws -> JSONEntityReader.Page {
        try sink.withLock { sink in
            let page = try Self.read(body, shape, sink, into: StagingSink(sink))
            if page.nextLink == nil { try Self.store(sink) }
            return page
        }
    }

    /// - Returns: the page; its exceptions are also the values that the device cannot hold.
    private static func read(
        _ body: [UInt8],
        _ shape: RowShape,
        _ sink: HiddenTableSink,
        into target: some RowSink
    ) throws -> JSONEntityReader.Page {
        var page: JSONEntityReader.Page
        do throws(ODataError) {
            page = try JSONEntityReader(shape: shape).readPage(body, into: target)
        } catch {
            throw ODataClient.unreadable(error)
        }
        FailPoint.visit("pull.middle-of-page")
        page.exceptions.merge(sink.takeUnheld(), uniquingKeysWith: +)
        return page
    }

    /// Stores what was received: what does not fit the set's table is an answer that cannot be understood.
    private static func store(_ sink: HiddenTableSink) throws {
        do {
            try sink.finish()
        } catch let error as LocalStoreError where error.code == .invalidValue {
            throw ClientError(
                .unreadableAnswer,
                error.message,
                advice: "Tell the administrator of the service, or clone again without the set."
            )
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineClient
import TidelineOData
import TidelineStorage
import TidelineStore

/// Queries that a service carries out: the same ones that a store does.
extension ODataClient {
    /// The entities of a query, all pages of the answer one after the other.
    ///
    ///     let dear = try await client.fetch(Order.where { $0.total > 100 }.limit(50))
    ///
    /// All of them are held in memory: a query without a limit asks for the whole set, which ``pages(of:)`` reads bit by
    /// bit. Properties that stay on the device have their defaults, calculated ones are `nil`.
    ///
    /// - Throws: ``ClientError``; ``LocalStoreError`` for what a device alone can do.
    public func fetch<Result>(_ query: Query<Result>) async throws -> [Result] {
        var all: [Result] = []
        for try await page in pages(of: query) { all += page }
        return all
    }

    /// The entities of a query, each with what it includes.
    ///
    /// - Throws: as ``fetch(_:)-(Query<_>)``.
    public func fetch<Row>(_ query: IncludedQuery<Row>) async throws -> [Row] {
        var all: [Row] = []
        for try await page in ServicePages(client: self, request: query.request, read: query.read) { all += page }
        return all
    }

    /// The entities of a query, page by page as the service cuts them: the next is asked for when it is wanted.
    public func pages<Result>(of query: Query<Result>) -> ServicePages<Result> {
        ServicePages(client: self, request: { try query.request() }) { row in
            try EntityDecoder<Result>().entity(row)
        }
    }
}

/// The answer of a service to a query, page by page.
///
/// The first page is asked for at the first `next`, each other one when it is wanted. Ends with the last page; cancelling
/// the task ends it with `CancellationError`.
public struct ServicePages<Row: Sendable>: AsyncSequence, Sendable {
    let client: ODataClient
    let request: @Sendable () throws -> ServiceRequest
    let read: @Sendable (ExpandedRow) throws -> Row

    /// Asks for one page after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pages: ServicePages<Row>
        private var request: ServiceRequest?
        private var link: String?
        private var isAtEnd = false

        init(_ pages: ServicePages<Row>) { self.pages = pages }

        /// The rows of the next page, or `nil` at the end.
        public mutating func next() async throws -> [Row]? {
            guard !isAtEnd else { return nil }
            let request = try self.request ?? pages.request()
            self.request = request
            let link = self.link ?? request.link
            let collector = RowCollector(request.plan)
            let page = try await pages.client.page(link, shape: request.shape, into: collector)
            if let next = page.nextLink {
                let address = try pages.client.address(of: next, context: page.context, request: link)
                guard address != link else {
                    throw ODataClient.unreadable(ODataError(.invalidBody, "The answer does not end."))
                }
                self.link = address
            } else {
                isAtEnd = true
            }
            return try collector.finish().map(pages.read)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

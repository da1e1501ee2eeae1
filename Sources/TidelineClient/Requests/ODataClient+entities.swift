// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import TidelineModel
public import TidelineOData

/// Entities of one set, read and written by their keys.
///
/// Columns are places of properties in the set's type, those that cross the wire.
extension ODataClient {
    /// The links of longer addresses go into the body of a batch: servers and proxies cut request lines.
    private static let longestLink = 2000

    /// One entity by its key, or `nil` where the service has none.
    ///
    /// - Throws: ``ClientError``.
    public func entity(_ key: Key, in set: EntitySet, columns: [Int]) async throws -> RemoteEntity? {
        let link =
            ResourceURL.entity(set: set.names.wire, key: key, type: set.type) + "?" + Self.selection(columns, set)
        do {
            let response = try await read(link)
            guard response.head.status != .noContent else { return nil }
            return try Self.entity(response, set, columns)
        } catch let error as ClientError where error.code == .notFound {
            return nil
        }
    }

    /// The entities of a set that its options choose, all pages one after the other.
    ///
    /// - Parameter options: query options with their names, decoded: `("$filter", "Total gt 5")`. No `$select`.
    /// - Throws: ``ClientError``.
    public func entities(
        of set: EntitySet,
        columns: [Int],
        options: [(name: String, value: String)] = []
    ) async throws -> [RemoteEntity] {
        let query = ([Self.selection(columns, set)] + (options.isEmpty ? [] : [ResourceURL.query(options)]))
        var link: String? = PercentCoding.encode(segment: set.names.wire) + "?" + query.joined(separator: "&")
        let shape = RowShape(set, columns: columns)
        let sink = EntityCollector(columns: shape.columns)
        while let request = link {
            let response = try await read(request)
            let page = try Self.readable { () throws(ODataError) in
                try JSONEntityReader(shape: shape).readPage(response.body, into: sink)
            }
            link = try page.nextLink.map { try address(of: $0, context: page.context, request: request) }
            guard link != request else {
                throw Self.unreadable(ODataError(.invalidBody, "The pages of the answer do not end."))
            }
        }
        return sink.rows.map { RemoteEntity(values: $0.values, etag: $0.etag?.text) }
    }

    /// Inserts an entity.
    ///
    /// - Parameters:
    ///   - values: what it is given, by the places of the properties.
    ///   - version: the version of the payloads that the service takes.
    /// - Returns: the entity as the service keeps it.
    /// - Throws: ``ClientError``.
    public func insert(
        _ values: [(place: Int, value: Value)],
        into set: EntitySet,
        columns: [Int],
        version: ODataVersion = .v401
    ) async throws -> RemoteEntity {
        let link = PercentCoding.encode(segment: set.names.wire) + "?" + Self.selection(columns, set)
        let body = EntityContent.object(values, of: set.type)
        let response = try await send(.post, link, fields: Self.writing(version), body: body)
        return try Self.entity(response, set, columns)
    }

    /// Changes properties of an entity.
    ///
    /// - Parameter etag: the version that the change builds on, or `nil` for whatever there is.
    /// - Returns: the entity as the service keeps it.
    /// - Throws: ``ClientError``: `preconditionFailed` when the entity has another version, `notFound`.
    public func update(
        _ key: Key,
        _ values: [(place: Int, value: Value)],
        in set: EntitySet,
        columns: [Int],
        ifMatch etag: String?,
        version: ODataVersion = .v401
    ) async throws -> RemoteEntity {
        let link =
            ResourceURL.entity(set: set.names.wire, key: key, type: set.type) + "?" + Self.selection(columns, set)
        var fields = Self.writing(version)
        fields[.ifMatch] = etag ?? "*"
        let response = try await send(.patch, link, fields: fields, body: EntityContent.object(values, of: set.type))
        if response.body.isEmpty, let entity = try await entity(key, in: set, columns: columns) { return entity }
        return try Self.entity(response, set, columns)
    }

    /// Deletes an entity.
    ///
    /// - Parameter etag: the version that is to be deleted, or `nil` for whatever there is.
    /// - Throws: ``ClientError``: `preconditionFailed` when the entity has another version, `notFound`.
    public func delete(_ key: Key, in set: EntitySet, ifMatch etag: String?) async throws {
        let link = ResourceURL.entity(set: set.names.wire, key: key, type: set.type)
        _ = try await send(.delete, link, fields: [.ifMatch: etag ?? "*"])
    }

    // MARK: Parts

    /// Sends a GET, in a batch of its own where its link is long.
    private func read(_ link: String) async throws -> TransportResponse {
        guard link.utf8.count > Self.longestLink else { return try await get(link) }
        let answers = try await read([link])
        return answers[0]
    }

    /// Sends several GETs in one batch.
    ///
    /// - Returns: the answers, in the order of the links.
    /// - Throws: ``ClientError``; the error of the first link whose answer is one.
    func read(_ links: [String]) async throws -> [TransportResponse] {
        var writer = BatchRequestWriter()
        for (place, link) in links.enumerated() {
            writer.append(BatchRequest.Item(id: "\(place)", method: .get, url: link))
        }
        let items = try await batch(writer.finish(), fields: [.prefer: "continue-on-error"]).batch.items
        return try links.indices.map { place in
            guard let item = items.first(where: { $0.id == "\(place)" }) else {
                throw Self.unreadable(ODataError(.invalidBatch, "The answer lacks that to request \(place)."))
            }
            let head = HTTPResponse(status: .init(code: item.status), headerFields: item.headers)
            let response = TransportResponse(head: head, body: item.body)
            guard item.status < 300 else { throw ClientError.answer(response) }
            return response
        }
    }

    private static func selection(_ columns: [Int], _ set: EntitySet) -> String {
        ResourceURL.query([("$select", columns.map { set.type.properties[$0].names.wire }.joined(separator: ","))])
    }

    private static func writing(_ version: ODataVersion) -> HTTPFields {
        var fields: HTTPFields = [.contentType: "application/json"]
        fields[.odataVersion] = version.rawValue
        fields[.prefer] = "return=representation"
        return fields
    }

    private static func entity(_ response: TransportResponse, _ set: EntitySet, _ columns: [Int]) throws -> RemoteEntity
    {
        let shape = RowShape(set, columns: columns)
        let sink = EntityCollector(columns: shape.columns)
        _ = try readable { () throws(ODataError) in
            try JSONEntityReader(shape: shape).readEntity(response.body, into: sink)
        }
        guard let row = sink.rows.first else {
            throw unreadable(ODataError(.invalidBody, "The answer holds no entity."))
        }
        return RemoteEntity(values: row.values, etag: response.head.headerFields[.eTag] ?? row.etag?.text)
    }

    static func readable<Result>(_ body: () throws(ODataError) -> Result) throws(ClientError) -> Result {
        do { return try body() } catch { throw unreadable(error) }
    }
}

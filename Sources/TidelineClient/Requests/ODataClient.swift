// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import TidelineModel
public import TidelineOData

/// Typed requests to one OData service.
///
/// Every request says `OData-MaxVersion: 4.01`. An answer that was not made by an OData service (the sign-in page of a
/// public network, a proxy's error page) is an error, whatever its status.
public struct ODataClient: Sendable {
    public let session: Session

    public init(session: Session) {
        self.session = session
    }

    /// The address of the service.
    public var address: ServiceAddress { session.address }

    /// The entity sets that the service document names for this user.
    public func entitySets() async throws -> [String] {
        let response = try await get("")
        return try ServiceDocument.entitySets(response.body)
    }

    /// The model that `$metadata` describes.
    public func model() async throws -> EntityModel {
        let response = try await get("$metadata?$format=application/json")
        do {
            return try CSDLJSON.read(response.body)
        } catch {
            throw Self.unreadable(error)
        }
    }

    /// Sends a GET; the answer has status 200.
    ///
    /// - Parameters:
    ///   - link: relative to the service root, or as the service gave it.
    ///   - preferences: the value of `Prefer`.
    /// - Throws: ``ClientError``.
    public func get(_ link: String, preferences: String? = nil) async throws -> TransportResponse {
        var fields: HTTPFields = [.accept: "application/json"]
        if let preferences { fields[.prefer] = preferences }
        return try await send(.get, link, fields: fields)
    }

    /// One page of entities, pushed into a sink.
    ///
    /// - Returns: what stands around the rows: next and delta link.
    public func page(
        _ link: String,
        shape: RowShape,
        preferences: String? = nil,
        into sink: some RowSink
    ) async throws -> JSONEntityReader.Page {
        let response = try await get(link, preferences: preferences)
        do {
            return try JSONEntityReader(shape: shape).readPage(response.body, into: sink)
        } catch {
            throw Self.unreadable(error)
        }
    }

    /// Sends a JSON `$batch`.
    ///
    /// - Parameters:
    ///   - body: made by `BatchRequestWriter`.
    ///   - fields: further header fields of the whole batch.
    public func batch(_ body: [UInt8], fields: HTTPFields = HTTPFields()) async throws -> (
        head: HTTPResponse, batch: BatchResponse
    ) {
        var fields = fields
        fields[.contentType] = "application/json"
        fields[.accept] = "application/json"
        let response = try await send(.post, "$batch", fields: fields, body: body)
        do {
            return (response.head, try BatchResponseReader.read(response.body))
        } catch {
            throw Self.unreadable(error)
        }
    }

    /// Sends any request of this service and checks that the answer is one of OData, with a status below 300.
    public func send(
        _ method: HTTPRequest.Method,
        _ link: String,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = []
    ) async throws -> TransportResponse {
        var fields = fields
        fields[.odataVersion] = "4.01"
        fields[.odataMaxVersion] = "4.01"
        let request = HTTPRequest(
            method: method,
            scheme: address.scheme,
            authority: address.authority,
            path: try address.resolve(link),
            headerFields: fields
        )
        let response = try await session.send(request, body: body)
        guard response.head.status.code < 300 else { throw ClientError.answer(response) }
        let isService = response.head.headerFields[.odataVersion] != nil
        guard isService, response.body.isEmpty || response.mediaType == "application/json" else {
            throw ClientError.notOData(response)
        }
        return response
    }

    /// The error of an answer that has the form of OData and cannot be read.
    public static func unreadable(_ error: ODataError) -> ClientError {
        ClientError(
            .unreadableAnswer,
            "The answer of the service cannot be read: \(error.message)",
            advice: "Try again; if it stays, tell the administrator of the service.",
            service: error
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import TidelineModel
public import TidelineOData

/// Typed requests to one OData service.
///
/// Every request says `OData-MaxVersion: 4.01`, and one with a payload the version and the type of that payload. An answer that was not made by an OData service (the sign-in page of a
/// public network, a proxy's error page) is an error, whatever its status.
public struct ODataClient: Sendable {
    public let session: Session
    /// Told of each exchange: the bytes of the request's body and of the answer's.
    package var onExchange: (@Sendable (_ sent: Int, _ received: Int) -> Void)?
    /// The client identifier of the device's store that is read for: each GET carries it, so that a device which was
    /// revoked reads nothing more.
    package var device: String?

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
    public func model() async throws -> EntityModel { try await metadata().model }

    /// What `$metadata` says, in JSON where the service has it, else in XML.
    public func metadata() async throws -> ServiceMetadata {
        let fields: HTTPFields = [.accept: "application/json, application/xml;q=0.8"]
        let response = try await send(.get, "$metadata", fields: fields, answers: Self.metadataTypes)
        do {
            return try ServiceMetadata(response.body)
        } catch {
            throw Self.unreadable(error)
        }
    }

    private static let metadataTypes: Set = ["application/json", "application/xml", "text/xml"]

    /// Control information as far as it does not follow from the metadata, under the name that 4.0 knows too.
    private static let data = "application/json;odata.metadata=minimal"

    /// Sends a GET; the answer has status 200.
    ///
    /// - Parameters:
    ///   - link: relative to the service root, or as the service gave it.
    ///   - preferences: the value of `Prefer`.
    /// - Throws: ``ClientError``.
    public func get(_ link: String, preferences: String? = nil) async throws -> TransportResponse {
        var fields: HTTPFields = [.accept: Self.data]
        if let preferences { fields[.prefer] = preferences }
        if let device { fields[.repeatabilityClientID] = device }
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
        var batch = try Self.batch(response)
        // A service may give the answers in pieces.
        var request = "$batch"
        while let next = batch.nextLink {
            let link = try address(of: next, context: nil, request: request)
            guard link != request else { throw Self.unreadable(ODataError(.invalidBatch, "The answer does not end.")) }
            // The batch is answered, whatever becomes of the rest of its answer.
            let rest = try await ClientError.marking(isUnsent: false) { try Self.batch(try await get(link)) }
            batch.items += rest.items
            batch.nextLink = rest.nextLink
            request = link
        }
        return (response.head, batch)
    }

    private static func batch(_ response: TransportResponse) throws -> BatchResponse {
        do {
            return try BatchResponseReader.read(response.body)
        } catch {
            throw unreadable(error)
        }
    }

    /// Where a next or delta link leads to, from the root of the host.
    ///
    /// - Parameters:
    ///   - context: the context URL of the answer, which relative links are relative to.
    ///   - request: the link that was asked for: what they are relative to without a context.
    /// - Throws: ``ClientError/Code/redirected`` when it leaves the origin.
    /// Source: OData JSON Format 4.01, sections 4.3 and 4.6.1.
    public func address(of link: String, context: String?, request: String) throws -> String {
        let here = try address.resolve(request)
        guard let context, !link.hasPrefix("/"), !ServiceAddress.hasScheme(link) else {
            return try address.resolve(link, from: here)
        }
        return try address.resolve(link, from: try address.resolve(context, from: here))
    }

    /// The same, from the root of the service where it lies below that: it leads there from any address of the service.
    ///
    /// - Throws: ``ClientError/Code/redirected`` when it leaves the origin.
    public func relativeAddress(of link: String, context: String?, request: String) throws -> String {
        let whole = try self.address(of: link, context: context, request: request)
        guard whole.hasPrefix(address.path) else { return whole }
        let rest = String(whole.dropFirst(address.path.count))
        // One with a slash too many leads elsewhere without the path.
        return rest.hasPrefix("/") || rest.isEmpty ? whole : rest
    }

    /// Sends any request of this service and checks that the answer is one of OData, with a status below 300.
    ///
    /// A payload is JSON of 4.01 where its fields say nothing else.
    /// - Parameter answers: the media types that the answer may have.
    public func send(
        _ method: HTTPRequest.Method,
        _ link: String,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = [],
        answers: Set<String> = ["application/json"]
    ) async throws -> TransportResponse {
        var fields = fields
        fields[.odataMaxVersion] = "4.01"
        if fields[.userAgent] == nil { fields[.userAgent] = Release.userAgent }
        if !body.isEmpty {
            if fields[.odataVersion] == nil { fields[.odataVersion] = "4.01" }
            if fields[.contentType] == nil { fields[.contentType] = "application/json" }
        }
        let request = HTTPRequest(
            method: method,
            scheme: address.scheme,
            authority: address.authority,
            path: try address.resolve(link),
            headerFields: fields
        )
        let response = try await session.send(request, body: body)
        onExchange?(body.count, response.body.count)
        guard response.head.status.code < 300 else { throw ClientError.answer(response) }
        let isService = response.head.headerFields[.odataVersion] != nil
        guard isService, response.body.isEmpty || answers.contains(response.mediaType ?? "") else {
            throw ClientError.notOData(response)
        }
        return response
    }

    /// Sends a GET whose answer is taken while it comes.
    ///
    /// - Parameters:
    ///   - answers: the media type that the answer has.
    ///   - receive: gets the content, in pieces of any size; what it throws ends the answer.
    /// - Throws: ``ClientError``, or what `receive` throws.
    public func stream(
        _ link: String,
        fields: HTTPFields = HTTPFields(),
        answers: String,
        _ receive: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        var fields = fields
        fields[.odataMaxVersion] = "4.01"
        let request = HTTPRequest(
            method: .get,
            scheme: address.scheme,
            authority: address.authority,
            path: try address.resolve(link),
            headerFields: fields
        )
        try await session.stream(request) { piece in
            switch piece {
            case .head(let head):
                let response = TransportResponse(head: head, body: [])
                guard head.headerFields[.odataVersion] != nil, response.mediaType == answers else {
                    throw ClientError.notOData(response)
                }
            case .content(let bytes): try await receive(bytes)
            }
        }
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

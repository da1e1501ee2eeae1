// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel

/// A multipart batch of v2 as a JSON batch of v4, and the way back.
public struct V2Batch: Sendable {
    private struct Part: Sendable {
        var item: BatchRequest.Item
        var translation: V2Translation?
        var error: ODataError?
    }

    private var parts: [Part] = []

    /// Reads a batch.
    ///
    /// - Throws: `InvalidBatch`, `TooComplex`; what is wrong with one request becomes that request's answer.
    public init(_ body: [UInt8], contentType: String, limit: Int, context: V2Context) throws(ODataError) {
        let batch = try BatchRequestReader.read(body, contentType: contentType, limit: limit)
        guard batch.form == .multipart else {
            throw ODataError(.unsupportedMediaType, "A batch of OData v2 is multipart/mixed.", target: "Content-Type")
        }
        for item in batch.items {
            var part = Part(item: item)
            do throws(ODataError) {
                part.translation = try Self.translation(item, context)
            } catch {
                part.error = error
            }
            parts.append(part)
        }
    }

    private static func translation(_ item: BatchRequest.Item, _ context: V2Context) throws(ODataError) -> V2Translation
    {
        var text = item.url[...]
        for prefix in [context.v2Root, context.path(of: context.v2Root)] where text.hasPrefix(prefix) {
            text = text.dropFirst(prefix.count)
            break
        }
        let translation = try V2Translation(
            method: item.method,
            text: String(text),
            fields: item.headers,
            body: item.body,
            context: context
        )
        guard translation.kind == .data else { throw ODataError(.notSupported, "This cannot stand in a batch.") }
        return translation
    }

    /// The requests that are sent as a JSON batch to v4; a change set with a part that cannot be translated is none of
    /// them.
    public var request: [UInt8] {
        let broken = Set(parts.filter { $0.error != nil }.compactMap(\.item.atomicityGroup))
        let items = parts.enumerated().filter { _, part in
            part.error == nil && !(part.item.atomicityGroup.map(broken.contains) ?? false)
        }
        let bytes = items.compactMap { place, part in part.translation.map { encode(place, part, $0) } }
        return Array("{\"requests\":[".utf8) + bytes.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
    }

    private func encode(_ place: Int, _ part: Part, _ translation: V2Translation) -> [UInt8] {
        var url = translation.target
        // A Content-ID names a request of the same change set; in v4 the names are those of the whole batch.
        if let id = BatchReference.id(ofURL: url),
            let other = parts.firstIndex(where: {
                $0.item.contentID == id && $0.item.atomicityGroup == part.item.atomicityGroup
            })
        {
            url = "$\(other)" + url.dropFirst(id.count + 1)
        }
        return BatchRequestWriter.encode(
            BatchRequest.Item(
                id: "\(place)",
                method: translation.method,
                url: url,
                headers: translation.fields,
                body: translation.body,
                atomicityGroup: part.item.atomicityGroup.map { "g\($0.dropFirst())" }
            )
        )
    }

    /// The answer in v2.
    ///
    /// - Parameters:
    ///   - body: the answer of v4 to request.
    ///   - mark: a text that no body contains, for the boundaries.
    public func answer(_ body: [UInt8], mark: String) throws(ODataError) -> (contentType: String, body: [UInt8]) {
        let response = try BatchResponseReader.read(body)
        var answers: [String: BatchResponse.Item] = [:]
        for item in response.items { answers[item.id] = item }
        let writer = MultipartBatchWriter(mark: mark)
        var place = 0
        while place < parts.count {
            let group = parts[place].item.atomicityGroup
            var end = place + 1
            while group != nil, end < parts.count, parts[end].item.atomicityGroup == group { end += 1 }
            let results = (place..<end).map { result($0, answers["\($0)"]) }
            let failed = results.indices.filter { results[$0].status.code >= 400 }
            if group != nil, let first = failed.first(where: { results[$0].status.code != 424 }) ?? failed.first {
                append(results[first], parts[place + first].item, to: writer)
            } else {
                if group != nil { writer.beginChangeSet() }
                for (offset, result) in results.enumerated() {
                    append(result, parts[place + offset].item, to: writer)
                }
                if group != nil { writer.endChangeSet() }
            }
            place = end
        }
        writer.end()
        return (writer.contentType, writer.output.bytes)
    }

    private typealias Result = (status: HTTPResponse.Status, fields: HTTPFields, body: [UInt8])

    private func append(_ result: Result, _ item: BatchRequest.Item, to writer: MultipartBatchWriter) {
        writer.append(contentID: item.contentID, status: result.status, headers: result.fields, body: result.body)
    }

    private func result(_ place: Int, _ item: BatchResponse.Item?) -> Result {
        if let error = parts[place].error {
            let status: HTTPResponse.Status =
                error.code == ODataError.Code.notSupported.rawValue ? .notImplemented : .badRequest
            return (status, [.contentType: V2Error.contentType(.json)], V2Error.write(error, .json))
        }
        guard let item, let translation = parts[place].translation else {
            let error = ODataError(code: "FailedDependency", message: "Another request of the change set failed.")
            return (Self.status(424), [.contentType: V2Error.contentType(.json)], V2Error.write(error, .json))
        }
        return translation.answer(status: Self.status(item.status), fields: item.headers, body: item.body)
    }

    /// A status with the phrase that some readers of version 2 want after its code.
    private static func status(_ code: Int) -> HTTPResponse.Status {
        let known: [HTTPResponse.Status] = [
            .ok, .created, .accepted, .noContent, .notModified, .badRequest, .unauthorized, .forbidden, .notFound,
            .methodNotAllowed, .notAcceptable, .conflict, .gone, .preconditionFailed, .contentTooLarge,
            .unsupportedMediaType, .preconditionRequired, .internalServerError, .notImplemented, .serviceUnavailable,
        ]
        return known.first { $0.code == code } ?? .init(code: code, reasonPhrase: code < 500 ? "Refused" : "Failed")
    }
}

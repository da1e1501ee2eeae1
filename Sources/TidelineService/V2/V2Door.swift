// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// OData v2 on the same domain, at `v2/` below its root: requests are translated to v4 and answered by it.
struct V2Door {
    let core: Core
    let user: UserContext
    /// The root of the v4 service.
    let root: String
    /// The v4 service.
    let send: (HTTPRequest, [UInt8]) -> ServiceResponse

    /// The context with what the user may use.
    private var context: V2Context { V2Context(model: core.shelf.documents(for: user).model, root: root) }

    /// - Parameter text: the path below the v2 root and the query, with or without a slash before it.
    func respond(to request: HTTPRequest, _ text: String, _ body: [UInt8]) -> ServiceResponse {
        let text = text.hasPrefix("/") ? String(text.dropFirst()) : text
        do throws(ODataError) {
            if text.prefix(while: { $0 != "?" }) == "$batch" { return try batch(request, body) }
            guard body.count <= core.planner.limits.bodyBytes else {
                throw ODataError(
                    service: ServiceCode.tooLarge,
                    "The body is larger than \(core.planner.limits.bodyBytes) bytes."
                )
            }
            let translation = try V2Translation(
                method: request.method,
                text: text,
                fields: request.headerFields,
                body: body,
                context: context
            )
            if let refusal = refusal(of: request, translation.kind, text) { return refusal }
            switch translation.kind {
            case .data: return try answer(translation, request)
            case .metadata: return response(.ok, "application/xml;charset=utf-8", V2Metadata.write(context))
            case .serviceDocument: return try serviceDocument(request, text)
            case .batch: return try batch(request, body)
            }
        } catch {
            return response(error, format(request, text))
        }
    }

    /// What the documents answer to other methods than those that read.
    private func refusal(of request: HTTPRequest, _ kind: V2Translation.Kind, _ text: String) -> ServiceResponse? {
        guard kind == .metadata || kind == .serviceDocument, request.method != .get, request.method != .head else {
            return nil
        }
        var answer = ServiceResponse(head: HTTPResponse(status: .noContent), body: .bytes([]))
        if request.method != .options {
            answer = response(
                ReadHandler.notAllowed("\(request.method.rawValue) is not for this path."),
                format(request, text)
            )
        }
        answer.head.headerFields[.allow] = "GET, HEAD, OPTIONS"
        return answer
    }

    private func answer(_ translation: V2Translation, _ request: HTTPRequest) throws(ODataError) -> ServiceResponse {
        let answer = exchange(translation.method, translation.target, translation.fields, translation.body, request)
        if translation.isRaw, answer.head.status.kind == .successful {
            // Perhaps a large file: it goes on as it comes.
            let fields = translation.answer(
                status: answer.head.status,
                fields: answer.head.headerFields,
                body: [],
                updated: ""
            ).fields
            var head = HTTPResponse(status: answer.head.status, headerFields: fields)
            head.headerFields[.contentLength] = answer.head.headerFields[.contentLength]
            return ServiceResponse(head: head, body: answer.body)
        }
        let moment = core.now.map { DateTimeOffset(seconds: $0()) } ?? DateTimeOffset(seconds: 0)
        let (status, fields, bytes) = translation.answer(
            status: answer.head.status,
            fields: answer.head.headerFields,
            body: try bytes(of: answer),
            updated: Value.dateTimeOffset(moment).text ?? ""
        )
        var head = HTTPResponse(status: status, headerFields: fields)
        if status != .noContent, status != .notModified { head.headerFields[.contentLength] = "\(bytes.count)" }
        return ServiceResponse(head: head, body: .bytes(request.method == .head ? [] : bytes))
    }

    private func exchange(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: HTTPFields,
        _ body: [UInt8],
        _ request: HTTPRequest
    ) -> ServiceResponse {
        let path = context.root.hasPrefix("/") ? root : Address(root).path
        let inner = HTTPRequest(
            method: method,
            scheme: request.scheme,
            authority: request.authority,
            path: path + target,
            headerFields: fields
        )
        return send(inner, body)
    }

    private func batch(_ request: HTTPRequest, _ body: [UInt8]) throws(ODataError) -> ServiceResponse {
        guard request.method == .post, body.count <= core.planner.limits.batchBytes else {
            throw ODataError(.invalidBatch, "$batch takes POST, with a body that is not too large.")
        }
        let batch = try V2Batch(
            body,
            contentType: request.headerFields[.contentType] ?? "",
            limit: core.planner.limits.batchRequests,
            context: context
        )
        let fields: HTTPFields = [
            .contentType: "application/json", .odataVersion: "4.0", .odataMaxVersion: "4.0",
        ]
        let answer = exchange(.post, "$batch", fields, batch.request, request)
        let bytes = try bytes(of: answer)
        guard answer.head.status == .ok else {
            throw ErrorBody.read(bytes) ?? ODataError(.invalidBatch, "The batch was refused.")
        }
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
        let (contentType, content) = try batch.answer(bytes, mark: mark)
        return response(.accepted, contentType, content)
    }

    private func serviceDocument(_ request: HTTPRequest, _ text: String) throws(ODataError) -> ServiceResponse {
        let answer = exchange(.get, "", [.accept: "application/json"], [], request)
        let bytes = try bytes(of: answer)
        guard answer.head.status == .ok else {
            throw ErrorBody.read(bytes)
                ?? ODataError(service: ServiceCode.internalError, "There is no service document.")
        }
        let sets = V2Documents.sets(bytes)
        let format = format(request, text)
        let type = format == .json ? "application/json;charset=utf-8" : "application/atomsvc+xml;charset=utf-8"
        return response(.ok, type, V2Documents.service(sets, context, format))
    }

    private func bytes(of answer: ServiceResponse) throws(ODataError) -> [UInt8] {
        do {
            return try answer.body.all()
        } catch {
            throw ODataError(service: ServiceCode.internalError, "The answer cannot be read again from its file.")
        }
    }

    private func format(_ request: HTTPRequest, _ text: String) -> V2Format {
        let isJSON = request.headerFields[.accept]?.lowercased().contains("json") ?? false
        return isJSON || text.contains("$format=json") ? .json : .atom
    }

    private func response(_ error: ODataError, _ format: V2Format) -> ServiceResponse {
        response(Status.of(error), V2Error.contentType(format), V2Error.write(error, format))
    }

    private func response(_ status: HTTPResponse.Status, _ type: String, _ bytes: [UInt8]) -> ServiceResponse {
        var head = HTTPResponse(status: status)
        head.headerFields[.contentType] = type
        head.headerFields[.contentLength] = "\(bytes.count)"
        head.headerFields[V2Headers.version] = "2.0"
        return ServiceResponse(head: head, body: .bytes(bytes))
    }
}

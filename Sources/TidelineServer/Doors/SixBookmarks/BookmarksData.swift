// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel
import TidelineOData
import TidelineService

/// The service of bookmarks: a request of 2010 is one of v4 to the domain's own service, whose answer is told in the
/// forms of 2010.
///
///     request → names and forms of v4 → policies, plan and store of the domain → names and forms of 2010
///
/// A pure translation with the token's user as the caller: there is no second way to the data.
struct BookmarksData {
    let loaded: LoadedDomain
    let face: BookmarksFace
    let user: User
    /// In seconds from 1970: Atom wants to know.
    let now: Int64
    /// Gets told of an entity that names another user.
    let onForgery: @Sendable () -> Void

    /// - Parameters:
    ///   - rest: the path below the service, percent-encoded.
    ///   - query: percent-encoded.
    func respond(_ request: HTTPRequest, _ rest: Substring, _ query: Substring, _ body: [UInt8]) -> BookmarksAnswer {
        let format = Self.format(request, query)
        var segment = (try? face.unknownSegment(of: rest)) ?? nil
        do throws(ODataError) {
            try checkVersion(request)
            let isDocument = rest.isEmpty || rest == "$metadata"
            if isDocument { return try document(request, rest, format) }
            if rest == "$batch" {
                throw ODataError(.notSupported, "Batches are taken at /odata/\(loaded.domain.name)/$batch.")
            }
            if let segment { return BookmarksAnswer(ODataError(.notFound, ""), .notFound, segment: segment, format) }
            segment = BookmarksFace.set
            try checkExpand(query)
            return try data(request, rest, query, body, format)
        } catch {
            return BookmarksAnswer(error, Status.of(error), segment: segment ?? BookmarksFace.set, format)
        }
    }

    private func document(_ request: HTTPRequest, _ rest: Substring, _ format: V2Format) throws(ODataError)
        -> BookmarksAnswer
    {
        guard request.method == .get || request.method == .head else {
            return Self.notAllowed("This address takes GET.", allow: "GET, HEAD", format)
        }
        guard rest.isEmpty else {
            return BookmarksAnswer(.ok, type: "application/xml", BookmarksDocuments.metadata(face))
        }
        let type = format == .json ? "application/json;charset=utf-8" : "application/atomsvc+xml"
        return BookmarksAnswer(.ok, type: type, BookmarksDocuments.service(face, format))
    }

    private func data(
        _ request: HTTPRequest,
        _ rest: Substring,
        _ query: Substring,
        _ body: [UInt8],
        _ format: V2Format
    ) throws(ODataError) -> BookmarksAnswer {
        let encoding = try BookmarksText.encoding(of: body, contentType: request.headerFields[.contentType])
        let translation = try V2Translation(
            method: request.method,
            text: query.isEmpty ? String(rest) : "\(rest)?\(query)",
            fields: request.headerFields,
            body: encoding.utf8(body),
            context: face.context
        )
        if Self.isCollection(rest), ![.get, .head, .post, .options].contains(translation.method) {
            let message = "\(translation.meant) is not for the whole of \(BookmarksFace.set), which takes GET and POST."
            return Self.notAllowed(message, allow: Self.collectionMethods, format)
        }
        // Without scheme and authority: no link of v4 is shown, and none needs them.
        let inner = HTTPRequest(
            method: translation.method,
            scheme: nil,
            authority: nil,
            path: face.context.root + translation.target,
            headerFields: translation.fields
        )
        let answer = loaded.service.respond(
            to: inner,
            body: try completed(translation, rest),
            user: user.context,
            userName: user.name
        )
        guard let bytes = try? answer.body.all() else {
            throw ODataError(code: "InternalError", message: "The answer cannot be read.")
        }
        if answer.head.status.code >= 400 {
            let error = ErrorBody.read(bytes) ?? ODataError(code: "Error", message: answer.head.status.reasonPhrase)
            var refused = BookmarksAnswer(error, answer.head.status, segment: BookmarksFace.set, format)
            for name in [HTTPField.Name.allow, .retryAfter] { refused.fields[name] = answer.head.headerFields[name] }
            return refused
        }
        let translated = translation.answer(
            status: answer.head.status,
            fields: answer.head.headerFields,
            body: bytes,
            updated: Value.dateTimeOffset(DateTimeOffset(seconds: now)).text ?? ""
        )
        var told = BookmarksAnswer(translated.status, translated.fields, translated.body)
        if Self.isCollection(rest), told.fields[.allow] != nil { told.fields[.allow] = Self.collectionMethods }
        return told
    }

    /// Version 4 changes many entities by one PATCH of their set; version 2 has no such thing.
    private static let collectionMethods = "GET, HEAD, POST, OPTIONS"

    /// Whether a path is that of the whole set.
    private static func isCollection(_ rest: Substring) -> Bool {
        guard let path = try? PercentCoding.decode(Self.bare(rest)) else { return false }
        return path == BookmarksFace.set || path == BookmarksFace.set + "()"
    }

    /// A path without the slash at its end, which says nothing.
    private static func bare(_ rest: Substring) -> Substring { rest.hasSuffix("/") ? rest.dropLast() : rest }

    private static func notAllowed(_ message: String, allow: String, _ format: V2Format) -> BookmarksAnswer {
        let error = ODataError(code: "MethodNotAllowed", message: message)
        var answer = BookmarksAnswer(error, .methodNotAllowed, segment: "", format)
        answer.fields[.allow] = allow
        return answer
    }

    /// The body of the inner request: the user's own, where it is an entity.
    private func completed(_ translation: V2Translation, _ rest: Substring) throws(ODataError) -> [UInt8] {
        let isEntity = !Self.bare(rest).contains("/")
        guard isEntity, !translation.body.isEmpty, [.post, .patch, .put].contains(translation.method) else {
            return translation.body
        }
        let body = BookmarksBody(type: face.type, owner: face.settings.owner, user: user.id)
        let (bytes, isForged) = try body.complete(
            translation.body,
            isInsert: translation.method == .post,
            replaces: translation.method == .put
        )
        if isForged { onForgery() }
        return bytes
    }

    /// The sets beside this one have no name here, and none is told.
    private func checkExpand(_ query: Substring) throws(ODataError) {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, try PercentCoding.decode(pair[0]) == "$expand" else { continue }
            let name = try PercentCoding.decode(pair[1]).prefix(128)
            throw ODataError(
                .invalidExpand,
                "\(BookmarksFace.set) has no navigation property '\(name)'.",
                target: "$expand"
            )
        }
    }

    private func checkVersion(_ request: HTTPRequest) throws(ODataError) {
        guard let version = request.headerFields[V2Headers.version] else { return }
        guard version.hasPrefix("1.") || version.hasPrefix("2.") else {
            throw ODataError(.unsupportedVersion, "This service speaks the versions 1.0 and 2.0.")
        }
    }

    static func format(_ request: HTTPRequest, _ query: Substring) -> V2Format {
        if query.contains("$format=json") || query.contains("%24format=json") { return .json }
        let accept = request.headerFields[.accept]?.lowercased() ?? ""
        guard let json = accept.firstRange(of: "application/json") else { return .atom }
        return accept.firstRange(of: "xml").map { json.lowerBound < $0.lowerBound } ?? true ? .json : .atom
    }
}

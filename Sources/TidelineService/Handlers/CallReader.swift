// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// Makes a call of a request, alone or of a batch.
struct CallReader {
    let core: Core
    let user: UserContext
    let userName: String?
    /// The service root with a slash at its end.
    let root: String

    /// - Parameters:
    ///   - text: the part of the address below the service root.
    ///   - inherited: the preferences of the batch around the request, of which some hold for it too.
    func call(
        _ method: HTTPRequest.Method,
        _ text: String,
        _ fields: HTTPFields,
        _ body: [UInt8],
        inheriting inherited: Preferences = Preferences()
    ) throws(ODataError) -> Call {
        let version = try ODataVersion.negotiate(fields)
        if method == .post, let (text, options) = try Self.query(text, fields, body) {
            var fields = fields
            fields[.contentType] = nil
            return try call(.get, options.isEmpty ? text : text + options, fields, [], inheriting: inherited)
        }
        let target: RequestTarget
        do throws(ODataError) {
            target = try RequestTarget(parsing: text)
        } catch {
            throw core.planner.explained(error, for: user)
        }
        try core.planner.refuseCallsOfSets(in: target.path, for: user)
        _ = try ODataVersion.ofBody(fields)
        var preferences = Preferences(fields)
        preferences.inherit(inherited)
        let isData =
            target.path.segments.last.map { ![.metadata, .value, .count, .batch].contains($0) } ?? true
        var format =
            isData
            ? try MediaTypes.json(format: target.options.format, fields: fields, version: version)
            : JSONFormat(version: version)
        if isData {
            format.omits = preferences.omits.map { $0 == .nulls ? .nulls : .defaults }
            format.annotations = preferences.annotations.map(AnnotationChoice.init)
            format.refersToEntities = preferences.allowsEntityReferences && format.metadata != .none
        }
        let content = Call.Content(
            method: method,
            target: target,
            text: text.first == "/" ? text.dropFirst() : text[...],
            fields: fields,
            body: body,
            user: user,
            userName: userName,
            version: version,
            preferences: preferences,
            format: format,
            root: root
        )
        var call = Call(content)
        if call.target.options.skipToken != nil || call.target.options.deltaToken != nil {
            // Tracking is asked for on the first request; a link carries its own answer.
            call.preferences.tracksChanges = call.preferences.tracksChanges && call.target.options.deltaToken != nil
        }
        return call
    }

    /// The address and the options of a request to `/$query`: a read whose options stand in the body.
    ///
    /// - Returns: `nil` for another request; else the address without the segment, and the options with their `?` or `&`.
    /// Source: OData Protocol 4.01, section 11.2.7; OData URL Conventions 4.01, section 4.16.
    private static func query(
        _ text: String,
        _ fields: HTTPFields,
        _ body: [UInt8]
    ) throws(ODataError) -> (text: String, options: String)? {
        let mark = text.firstIndex(of: "?") ?? text.endIndex
        guard text[..<mark].hasSuffix("/$query") else { return nil }
        let type = fields[.contentType]?.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
        guard type == nil || type == "text/plain" else {
            throw ODataError(.unsupportedMediaType, "The body of $query is text/plain.", target: "Content-Type")
        }
        guard let options = String(validating: body, as: UTF8.self) else {
            throw ODataError(.invalidURL, "The body is not UTF-8.")
        }
        let address = text[..<mark].dropLast("/$query".count) + text[mark...]
        guard !options.isEmpty else { return (String(address), "") }
        return (String(address), (mark == text.endIndex ? "?" : "&") + options)
    }
}

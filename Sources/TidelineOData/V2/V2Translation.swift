// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
import TidelineModel

/// One request of v2, as the request of v4 that does the same, and the way back for its answer.
///
///     v2 request  →  V2Translation  →  v4 request  →  the service  →  v4 answer  →  answer(…)  →  v2 answer
///
/// A pure translation: there is no second way to the data. What v2 asks for and v4 has not is refused.
public struct V2Translation: Sendable {
    /// What the request asks for.
    public enum Kind: Hashable, Sendable {
        case serviceDocument
        case metadata
        case batch
        /// Data: the request of v4 is sent.
        case data
    }

    /// What is asked for.
    public private(set) var kind = Kind.data
    /// The method that is meant, as v2 names it: `MERGE`, or what a POST carries in a field.
    package let meant: String
    /// The method of the v4 request.
    public private(set) var method: HTTPRequest.Method
    /// The path and query below the root of the v4 service, percent-encoded.
    public private(set) var target = ""
    /// The header fields of the v4 request.
    public private(set) var fields = HTTPFields()
    /// The body of the v4 request.
    public private(set) var body: [UInt8] = []
    let context: V2Context
    let format: V2Format
    private var hasSelect = false
    /// Whether the answer is a value as it is, or a number as text: bytes that stay as they are.
    public private(set) var isRaw = false
    /// The operation that is called.
    private var operation: EdmOperation?
    private let text: String

    /// - Parameters:
    ///   - text: the path and query below the root of the v2 service, percent-encoded.
    /// - Throws: `NotSupported` for what v4 has not; what the parts of the request throw.
    public init(
        method: HTTPRequest.Method,
        text: String,
        fields: HTTPFields,
        body: [UInt8],
        context: V2Context
    ) throws(ODataError) {
        self.context = context
        self.text = text
        meant = Self.meant(method, fields)
        self.method = meant == "MERGE" ? .patch : HTTPRequest.Method(meant) ?? method
        let mark = text.firstIndex(of: "?") ?? text.endIndex
        let path = text[..<mark]
        let query = mark == text.endIndex ? "" : text[text.index(after: mark)...]
        format = Self.format(query, fields)
        switch path {
        case "": kind = .serviceDocument
        case "$metadata": kind = .metadata
        case "$batch": kind = .batch
        default: break
        }
        guard kind == .data else { return }
        var set: EntitySet?
        var values = ""
        if let call = try V2Call(path, query: query, method: self.method, context: context) {
            operation = call.operation
            target = PercentCoding.encode(segment: call.path)
            (values, self.body) = (call.query, call.body)
            set = call.operation.returnType?.entitySet.flatMap { context.model[set: $0] }
            if !call.body.isEmpty { self.fields[.contentType] = "application/json" }
        } else if let id = BatchReference.id(ofURL: path) {
            // $1/Lines in a change set: what it leads to is known when the change set is carried out.
            target = String(path)
            _ = id
        } else {
            try checkUnbound(path)
            let translated = try V2Path(context: context).translate(path)
            target = translated.path
            set = translated.set
            try translate(body, translated.set, path, isLinks: translated.isLinks, fields)
        }
        let options = try V2Query(context: context, set: set).translate(query)
        hasSelect = options.hasSelect
        isRaw = path.hasSuffix("/$value") || path.hasSuffix("/$count")
        let parameters = [values, options.query].filter { !$0.isEmpty }
        if !parameters.isEmpty { target += "?\(parameters.joined(separator: "&"))" }
        if self.body.isEmpty, BatchReference.id(ofURL: path) != nil { self.body = body }
        self.fields[.accept] = isRaw ? nil : "application/json;odata.metadata=minimal;IEEE754Compatible=true"
        self.fields[.odataVersion] = "4.0"
        self.fields[.odataMaxVersion] = "4.0"
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch] { self.fields[name] = fields[name] }
        self.fields[.prefer] = Self.preferences(fields, expands: options.expands)
        if self.method == .post, !isRaw, self.fields[.prefer] == nil {
            self.fields[.prefer] = target.contains("$ref") ? nil : "return=representation"
        }
    }

    /// The preferences that have a meaning in v2; what leaves members out, or refers to others, has none there.
    private static func preferences(_ fields: HTTPFields, expands: Bool) -> String? {
        let asked = Preferences(fields)
        var kept = asked.none
        kept.maxPageSize = asked.maxPageSize
        kept.returns = asked.returns
        // The links of a delta in version 4.0 have no place in v2: with $expand nothing is tracked.
        kept.tracksChanges = asked.tracksChanges && !expands
        return kept.headerValue
    }

    private mutating func translate(
        _ body: [UInt8],
        _ set: EntitySet?,
        _ path: Substring,
        isLinks: Bool,
        _ fields: HTTPFields
    ) throws(ODataError) {
        guard !body.isEmpty, method != .get, method != .delete else { return }
        if path.hasSuffix("/$value") {
            self.body = body
            self.fields[.contentType] = fields[.contentType]
            return
        }
        var property: Property?
        if set == nil, !isLinks { property = try self.property(path) }
        let type = fields[.contentType]?.lowercased() ?? ""
        let inbound = V2Body(context: context)
        if type.contains("json") {
            self.body = try inbound.json(body, set, isLinks: isLinks, property: property)
        } else if type.contains("xml") {
            self.body = try inbound.atom(body, set, isLinks: isLinks, property: property)
        } else {
            throw ODataError(.unsupportedMediaType, "The body is neither JSON nor Atom.", target: "Content-Type")
        }
        self.fields[.contentType] = "application/json"
    }

    /// A bound operation that is called as v4 does is refused.
    private func checkUnbound(_ path: Substring) throws(ODataError) {
        guard let last = path.split(separator: "/").dropFirst().last else { return }
        let name = try PercentCoding.decode(last).prefix { $0 != "(" }.split(separator: ".").last.map(String.init)
        guard let operation = context.model.operations.first(where: { $0.isBound && $0.names.wire == name }),
            !context.model.sets.contains(where: { set in set.type.properties.contains { $0.names.wire == name } })
        else { return }
        throw ODataError(.notSupported, context.reasonAgainst(operation) ?? "", target: name)
    }

    /// The property that a path ends with.
    private func property(_ path: Substring) throws(ODataError) -> Property? {
        guard let cut = path.lastIndex(of: "/") else { return nil }
        let holder = try V2Path(context: context).translate(path[..<cut]).set
        let name = path[path.index(after: cut)...]
        return holder.flatMap { V2Body(context: context).property(String(name), $0) }
    }

    /// The method that is meant: POST may carry another in a field.
    private static func meant(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> String {
        var name = method.rawValue.uppercased()
        for field in ["X-HTTP-Method", "X-HTTP-Method-Override"] {
            guard name == "POST", let field = HTTPField.Name(field), let value = fields[field] else { continue }
            name = value.uppercased()
        }
        return name
    }

    private static func format(_ query: Substring, _ fields: HTTPFields) -> V2Format {
        for part in query.split(separator: "&") where part.hasPrefix("$format=") || part.hasPrefix("%24format=") {
            return part.hasSuffix("json") ? .json : .atom
        }
        let accept = fields[.accept]?.lowercased() ?? ""
        guard let json = accept.firstRange(of: "application/json") else { return .atom }
        guard let xml = accept.firstRange(of: "xml") else { return .json }
        return json.lowerBound < xml.lowerBound ? .json : .atom
    }

    // MARK: Answers

    /// The answer in v2 to the answer of v4.
    ///
    /// - Parameter updated: the moment of the answer, for Atom.
    public func answer(
        status: HTTPResponse.Status,
        fields: HTTPFields,
        body: [UInt8],
        updated: String = "1970-01-01T00:00:00Z"
    ) -> (status: HTTPResponse.Status, fields: HTTPFields, body: [UInt8]) {
        var answered = HTTPFields()
        for name in [HTTPField.Name.eTag, .retryAfter, .allow, .wwwAuthenticate] { answered[name] = fields[name] }
        answered[V2Headers.version] = "2.0"
        if status.code >= 400 {
            let error = ErrorBody.read(body) ?? ODataError(code: "Error", message: status.reasonPhrase)
            return (status, V2Headers.with(answered, V2Error.contentType(format)), V2Error.write(error, format))
        }
        if isRaw {
            answered[.contentType] = fields[.contentType]
            return (status, answered, body)
        }
        guard !body.isEmpty, let tree = try? JSONTree.read(body),
            let content = V2Answer(tree, of: operation, context) ?? V2Answer(tree, context)
        else {
            return (status, answered, [])
        }
        if status == .created, case .entity(let tree, let set) = content, let key = context.key(of: tree, set) {
            answered[.location] = context.uri(set, key)
        }
        switch format {
        case .json:
            let writer = V2JSONWriter(context: context, hasSelect: hasSelect, link: next, deltaLink: delta)
            return (status, V2Headers.with(answered, "application/json;charset=utf-8"), writer.write(content))
        case .atom:
            let writer = V2AtomWriter(
                context: context,
                hasSelect: hasSelect,
                updated: updated,
                link: next,
                deltaLink: delta
            )
            return (status, V2Headers.with(answered, Self.contentType(content)), writer.write(content))
        }
    }

    private static func contentType(_ content: V2Answer) -> String {
        switch content {
        case .entity: "application/atom+xml;type=entry;charset=utf-8"
        case .feed: "application/atom+xml;type=feed;charset=utf-8"
        default: "application/xml;charset=utf-8"
        }
    }

    /// The request's own address with the token of a v4 link.
    private func next(_ link: String) -> String { address("$skiptoken", from: link) { _ in true } }

    private func delta(_ link: String) -> String {
        address("!deltatoken", from: link) { ["$filter", "$select", "$format"].contains($0) }
    }

    private func address(_ name: String, from link: String, keeping isKept: (String) -> Bool) -> String {
        let token = link.split(whereSeparator: { $0 == "?" || $0 == "&" }).first {
            $0.hasPrefix("$skiptoken=") || $0.hasPrefix("$deltatoken=") || $0.hasPrefix("%24skiptoken=")
        }
        let value = token.flatMap { $0.split(separator: "=", maxSplits: 1).last } ?? ""
        let cut = text.firstIndex(of: "?") ?? text.endIndex
        var parameters: [Substring] = []
        for part in text[cut...].dropFirst().split(separator: "&") {
            let name = (try? PercentCoding.decode(part.prefix { $0 != "=" })) ?? ""
            if name == "$skiptoken" || name == "!deltatoken" || !isKept(name) { continue }
            parameters.append(part)
        }
        parameters.append("\(name)=\(value)")
        return "\(context.v2Root)\(text[..<cut])?\(parameters.joined(separator: "&"))"
    }
}

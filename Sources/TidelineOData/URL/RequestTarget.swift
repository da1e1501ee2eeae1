// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the URL of a request asks for: the path below the service root and its options.
public struct RequestTarget: Hashable, Sendable {
    public var path: ResourcePath
    public var options: QueryOptions
    /// What follows `#` in the URL of a metadata document; `nil` in every request.
    public var context: ContextFragment?

    public init(path: ResourcePath, options: QueryOptions = QueryOptions(), context: ContextFragment? = nil) {
        self.path = path
        self.options = options
        self.context = context
    }

    /// Reads the percent-encoded text below the service root.
    ///
    /// - Parameters:
    ///   - text: for example `Orders(42)/Lines?$filter=Quantity%20gt%201`, with no leading slash or one.
    ///   - body: the body of a request to `/$query`, whose options and aliases are those of the request.
    ///   - names: what the names of the model stand for.
    /// - Throws: what ``ResourcePath/init(parsing:aliases:names:)`` and ``QueryOptions/init(parsing:names:)`` throw.
    public init(parsing text: String, body: String? = nil, names: NameTable? = nil) throws(ODataError) {
        try self.init(parsing: text[...], body: body, names: names, base: 0)
    }

    /// - Parameters:
    ///   - base: where the text begins in the whole URL.
    ///   - takesRepeated: whether an option may be there twice.
    init(
        parsing text: Substring,
        body: String? = nil,
        names: NameTable?,
        base: Int,
        takesRepeated: Bool = false
    ) throws(ODataError) {
        let hash = text.utf8.firstIndex(of: UInt8(ascii: "#"))
        let beforeHash = text[..<(hash ?? text.endIndex)]
        let mark = beforeHash.utf8.firstIndex(of: UInt8(ascii: "?"))
        let pathText = beforeHash[..<(mark ?? beforeHash.endIndex)]
        var query = mark.map { beforeHash[beforeHash.utf8.index(after: $0)...] } ?? ""
        if let body, !body.isEmpty { query = query.isEmpty ? body[...] : "\(query)&\(body)" }
        let parameters = try QueryString(query, base: base + pathText.utf8.count + 1)
        path = try ResourcePath(parsing: pathText, aliases: parameters.aliases, names: names, base: base)
        options = try QueryOptions(
            parameters,
            names: names,
            allowed: Self.options(of: path),
            takesRepeated: takesRepeated
        )
        if path.segments.first == .entity, options.id == nil {
            var error = ODataError(.invalidQueryOption, "$entity needs the option $id.", target: "$id")
            error.position = base + beforeHash.utf8.count
            throw error
        }
        guard let hash else {
            context = nil
            return
        }
        guard path.segments == [.metadata] else {
            var error = ODataError(.invalidURL, "A URL of a request has no fragment; a # in it is written %23.")
            error.position = base + beforeHash.utf8.count
            throw error
        }
        context = try ContextFragment(
            parsing: text[text.utf8.index(after: hash)...],
            names: names,
            base: base + beforeHash.utf8.count + 1
        )
    }

    /// The system options that a path takes; `nil` for all.
    ///
    /// Source: OData ABNF construction rules 4.01, `batchOptions`, `metadataOptions`, `entityOptions`; 4.01 adds
    /// `$schemaversion`.
    private static func options(of path: ResourcePath) -> Set<SystemQueryOption>? {
        switch path.segments.first {
        case .batch, .metadata: [.format, .schemaversion]
        case .entity where path.segments.count > 1: [.format, .id, .expand, .select, .schemaversion]
        case .entity: [.format, .id, .schemaversion]
        default: nil
        }
    }
}

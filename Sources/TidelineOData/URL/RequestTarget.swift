// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the URL of a request asks for: the path below the service root and its options.
public struct RequestTarget: Hashable, Sendable {
    public var path: ResourcePath
    public var options: QueryOptions

    public init(path: ResourcePath, options: QueryOptions = QueryOptions()) {
        self.path = path
        self.options = options
    }

    /// Reads the percent-encoded text below the service root.
    ///
    /// - Parameter text: for example `Orders(42)/Lines?$filter=Quantity%20gt%201`, with no leading slash or one.
    /// - Throws: what ``ResourcePath/init(parsing:aliases:)`` and ``QueryOptions/init(parsing:)`` throw.
    public init(parsing text: String) throws(ODataError) {
        let mark = text.utf8.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { text[text.utf8.index(after: $0)...] } ?? ""
        let parameters = try QueryString(query)
        path = try ResourcePath(parsing: text[..<(mark ?? text.endIndex)], aliases: parameters.aliases)
        options = try QueryOptions(parameters)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The query of a URL, cut at `&` and `=`, then decoded.
struct QueryString {
    /// One `name=value`.
    struct Parameter {
        var name: String
        /// `nil` when there is no `=`.
        var value: DecodedText?
        /// Where the name and what follows it stand in the URL.
        var position: Int
        var end: Int
    }

    /// All parameters but aliases, in the order written.
    let parameters: [Parameter]
    /// The texts of parameter aliases by name, without `@`.
    let aliases: [String: String]
    /// The aliases in the order written, with their places.
    let aliasTexts: [(name: String, value: DecodedText)]

    /// The most bytes of a query, encoded.
    static let lengthLimit = 1 << 17

    /// - Parameter base: where the query begins in the whole URL.
    init(_ query: Substring, base: Int = 0) throws(ODataError) {
        guard query.utf8.count <= Self.lengthLimit else {
            throw ODataError(.tooComplex, "The query is longer than \(Self.lengthLimit) bytes.")
        }
        var parameters: [Parameter] = []
        var aliases: [String: String] = [:]
        var texts: [(name: String, value: DecodedText)] = []
        var start = query.startIndex
        var position = base
        while start < query.endIndex {
            let end = query[start...].utf8.firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
            let part = query[start..<end]
            let length = part.utf8.count
            defer {
                start = end < query.endIndex ? query.utf8.index(after: end) : end
                position += length + 1
            }
            if part.isEmpty { continue }
            let cut = part.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = try DecodedText(encoded: part[..<(cut ?? part.endIndex)], base: position).string
            var value: DecodedText?
            if let cut {
                let rest = part[part.utf8.index(after: cut)...]
                value = try DecodedText(encoded: rest, base: position + length - rest.utf8.count)
            }
            if name.hasPrefix("@") {
                let alias = String(name.dropFirst())
                guard alias != "me" else {
                    throw ODataError(
                        .invalidQueryOption,
                        "@me is the signed-in user and cannot be given.",
                        target: name
                    )
                }
                let text = value ?? DecodedText("")
                guard aliases.updateValue(text.string, forKey: alias) == nil else {
                    throw ODataError(.invalidQueryOption, "\(name) is there twice.", target: name)
                }
                texts.append((alias, text))
            } else {
                parameters.append(Parameter(name: name, value: value, position: position, end: position + length))
            }
        }
        self.parameters = parameters
        self.aliases = aliases
        aliasTexts = texts
    }
}

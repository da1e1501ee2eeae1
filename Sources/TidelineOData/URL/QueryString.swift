// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The query of a URL, cut at `&` and `=`, then decoded.
struct QueryString {
    /// One `name=value`.
    struct Parameter {
        var name: String
        var value: String
    }

    /// All parameters but aliases, in the order written.
    let parameters: [Parameter]
    /// The texts of parameter aliases by name, without `@`.
    let aliases: [String: String]

    /// The most bytes of a query, encoded.
    static let lengthLimit = 1 << 17

    init(_ query: Substring) throws(ODataError) {
        guard query.utf8.count <= Self.lengthLimit else {
            throw ODataError(.tooComplex, "The query is longer than \(Self.lengthLimit) bytes.")
        }
        var parameters: [Parameter] = []
        var aliases: [String: String] = [:]
        for part in query.split(separator: "&") {
            let cut = part.firstIndex(of: "=") ?? part.endIndex
            let name = try PercentCoding.decode(part[..<cut])
            let value = cut == part.endIndex ? "" : try PercentCoding.decode(part[part.index(after: cut)...])
            if name.hasPrefix("@") {
                let alias = String(name.dropFirst())
                guard alias != "me" else {
                    throw ODataError(
                        .invalidQueryOption,
                        "@me is the signed-in user and cannot be given.",
                        target: name
                    )
                }
                guard aliases.updateValue(value, forKey: alias) == nil else {
                    throw ODataError(.invalidQueryOption, "\(name) is there twice.", target: name)
                }
            } else {
                parameters.append(Parameter(name: name, value: value))
            }
        }
        self.parameters = parameters
        self.aliases = aliases
    }
}

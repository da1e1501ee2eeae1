// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Translates the options of a v2 URL.
struct V2Query {
    let context: V2Context
    let set: EntitySet?

    /// The options as v4 has them, percent-encoded, and those that the translation keeps for itself.
    struct Result {
        var query = ""
        var format: String?
        /// Whether only chosen properties are asked for: then nothing is deferred.
        var hasSelect = false
        var expands = false
    }

    /// - Parameter text: the query, percent-encoded, without its question mark.
    /// - Throws: `NotSupported` for what v2 does not have.
    func translate(_ text: Substring) throws(ODataError) -> Result {
        var result = Result()
        var options: [(String, String)] = []
        var select: [String] = []
        var expand: [String] = []
        for part in text.split(separator: "&") {
            let cut = part.firstIndex(of: "=") ?? part.endIndex
            let name = try PercentCoding.decode(part[..<cut])
            // v2 clients write blanks as +, as forms do.
            let plain = part[cut...].dropFirst().map { $0 == "+" ? "%20" : String($0) }.joined()
            let value = try PercentCoding.decode(plain[...])
            switch name {
            case "$filter", "$orderby":
                options.append((name, try V2Expression(context: context, set: set).translate(value)))
            case "$inlinecount":
                guard value == "allpages" || value == "none" else {
                    throw ODataError(.invalidQueryOption, "$inlinecount is allpages or none.", target: name)
                }
                if value == "allpages" { options.append(("$count", "true")) }
            case "$expand": expand = list(value)
            case "$select":
                select = list(value)
                result.hasSelect = true
            case "$top", "$skip", "$skiptoken": options.append((name, value))
            case "!deltatoken": options.append(("$deltatoken", value))
            case "$format": result.format = value
            case "$metadata", "": break
            default:
                guard !name.hasPrefix("$") else {
                    throw ODataError(.notSupported, "OData v2 has no option \(name.prefix(50)).", target: name)
                }
            }
        }
        result.expands = !expand.isEmpty
        if result.expands, options.contains(where: { $0.0 == "$deltatoken" }) {
            throw ODataError(.notSupported, "A delta of OData v2 has no $expand: it knows no links.", target: "$expand")
        }
        let tree = Tree(select: select, expand: expand)
        options += tree.options
        result.query = ResourceURL.query(options.map { (name: $0.0, value: $0.1) })
        return result
    }

    private func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.filter { $0 != " " } }
    }

    /// `$expand=A/B,C` and `$select=Name,A/Title` as nested options.
    private struct Tree {
        var select: [String] = []
        var children: [(name: String, tree: Tree)] = []

        init(select: [String], expand: [String]) {
            for path in expand {
                let names = path.split(separator: "/", maxSplits: 1).map(String.init)
                guard let name = names.first, !children.contains(where: { $0.name == name }) else { continue }
                let below = expand.filter { $0.hasPrefix("\(name)/") }.map { String($0.dropFirst(name.count + 1)) }
                let chosen = select.filter { $0.hasPrefix("\(name)/") }.map { String($0.dropFirst(name.count + 1)) }
                children.append((name, Tree(select: chosen, expand: below)))
            }
            self.select = select.filter { path in
                !children.contains { path == $0.name || path.hasPrefix("\($0.name)/") }
            }
        }

        var options: [(String, String)] {
            var options: [(String, String)] = []
            if !select.isEmpty, !select.contains("*") { options.append(("$select", select.joined(separator: ","))) }
            if !children.isEmpty {
                let items = children.map { child in
                    let inner = child.tree.options.map { "\($0.0)=\($0.1)" }.joined(separator: ";")
                    return inner.isEmpty ? child.name : "\(child.name)(\(inner))"
                }
                options.append(("$expand", items.joined(separator: ",")))
            }
            return options
        }
    }
}

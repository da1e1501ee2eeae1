// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension QueryOptions {
    /// The options as names and decoded values, in a fixed order: what reads back as the same options.
    public var parameters: [(name: String, value: String)] {
        var parts: [(String, String)] = []
        for (name, value) in aliases.sorted(by: { $0.key < $1.key }) {
            parts.append(("@\(name)", ExpressionPrinter.print(value)))
        }
        if let apply { parts.append(("$apply", Transformation.text(apply))) }
        if !compute.isEmpty { parts.append(("$compute", ExpressionPrinter.text(compute))) }
        if let filter { parts.append(("$filter", ExpressionPrinter.print(filter))) }
        if let search { parts.append(("$search", search.text)) }
        if !orderBy.isEmpty { parts.append(("$orderby", ExpressionPrinter.print(orderBy))) }
        if let select { parts.append(("$select", select.map(\.text).joined(separator: ","))) }
        if !expand.isEmpty { parts.append(("$expand", expand.map(\.text).joined(separator: ","))) }
        if count { parts.append(("$count", "true")) }
        if let top { parts.append(("$top", "\(top)")) }
        if let skip { parts.append(("$skip", "\(skip)")) }
        if let levels { parts.append(("$levels", levels.text)) }
        if let index { parts.append(("$index", "\(index)")) }
        if let schemaVersion { parts.append(("$schemaversion", schemaVersion)) }
        if let skipToken { parts.append(("$skiptoken", skipToken)) }
        if let deltaToken { parts.append(("$deltatoken", deltaToken)) }
        if let format { parts.append(("$format", format)) }
        if let id { parts.append(("$id", id)) }
        for (name, value) in custom.sorted(by: { $0.key < $1.key }) { parts.append((name, value)) }
        return parts
    }

    /// The query of a URL, percent-encoded, without its question mark.
    public var text: String {
        parameters.map { name, value in
            // Only the name of a custom option can hold what must be encoded.
            let name = PercentCoding.encode(queryValue: name).split(separator: "=", omittingEmptySubsequences: false)
            return "\(name.joined(separator: "%3D"))=\(PercentCoding.encode(queryValue: value))"
        }
        .joined(separator: "&")
    }

    /// The options in the parentheses of `$expand` or `$select`, not percent-encoded; empty without any.
    var nestedText: String {
        let texts = parameters.map { "\($0.name)=\($0.value)" }
        return texts.isEmpty ? "" : "(\(texts.joined(separator: ";")))"
    }
}

extension ExpandLevels {
    /// `3` or `max`.
    var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .max: "max"
        }
    }
}

extension SelectItem {
    /// The item as `$select` writes it, not percent-encoded.
    public var text: String {
        switch self {
        case .all: "*"
        case .property(let name): name
        case .path(let names, let options): names.joined(separator: "/") + options.nestedText
        case .operations(let namespace): "\(namespace).*"
        case .function(let path, let parameters):
            "\(path.joined(separator: "/"))(\(parameters.joined(separator: ",")))"
        }
    }
}

extension ExpandItem {
    /// The item as `$expand` writes it, not percent-encoded.
    public var text: String {
        var names = prefix + [navigation]
        if let cast { names.append(cast) }
        switch content {
        case .entities, .value: break
        case .references: names.append("$ref")
        case .count: names.append("$count")
        }
        return names.joined(separator: "/") + options.nestedText
    }
}

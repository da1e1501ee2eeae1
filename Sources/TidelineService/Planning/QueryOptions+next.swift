// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension QueryOptions {
    /// The query, percent-encoded, of the page of a nested collection that follows the first `count` entities.
    func nextQuery(after count: Int) -> String {
        var options = self
        options.skip = (skip ?? 0) + count
        options.top = top.map { $0 - count }
        options.count = false
        options.levels = nil
        return options.parts.map { "\($0.name)=\(PercentCoding.encode(queryValue: $0.value))" }.joined(separator: "&")
    }

    /// The options as names and texts.
    private var parts: [(name: String, value: String)] {
        var parts: [(String, String)] = []
        if let filter { parts.append(("$filter", ExpressionPrinter.print(filter))) }
        if let search { parts.append(("$search", Self.text(search))) }
        if !compute.isEmpty {
            let items = compute.map { "\(ExpressionPrinter.print($0.expression)) as \($0.name)" }
            parts.append(("$compute", items.joined(separator: ",")))
        }
        if !orderBy.isEmpty { parts.append(("$orderby", ExpressionPrinter.print(orderBy))) }
        if let select { parts.append(("$select", select.map(Self.text).joined(separator: ","))) }
        if !expand.isEmpty { parts.append(("$expand", expand.map(Self.text).joined(separator: ","))) }
        if count { parts.append(("$count", "true")) }
        if let top { parts.append(("$top", "\(top)")) }
        if let skip { parts.append(("$skip", "\(skip)")) }
        switch levels {
        case nil: break
        case .max?: parts.append(("$levels", "max"))
        case .number(let number)?: parts.append(("$levels", "\(number)"))
        }
        return parts
    }

    private static func text(_ item: SelectItem) -> String {
        switch item {
        case .all: return "*"
        case .property(let name): return name
        case .path(let names, let options):
            let inner = options.parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            return names.joined(separator: "/") + (inner.isEmpty ? "" : "(\(inner))")
        case .operations(let namespace): return "\(namespace).*"
        case .function(let path, let parameters):
            return "\(path.joined(separator: "/"))(\(parameters.joined(separator: ",")))"
        }
    }

    private static func text(_ search: SearchExpression) -> String {
        switch search {
        case .word(let word): word
        case .phrase(let phrase): "\"\(phrase)\""
        case .not(let inner): "NOT (\(text(inner)))"
        case .and(let left, let right): "(\(text(left)) AND \(text(right)))"
        case .or(let left, let right): "(\(text(left)) OR \(text(right)))"
        }
    }

    private static func text(_ item: ExpandItem) -> String {
        let suffix =
            switch item.content {
            case .entities: ""
            case .references: "/$ref"
            case .count: "/$count"
            case .value: "/$value"
            }
        let inner = item.options.parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
        let path = (item.prefix + [item.navigation] + (item.cast.map { [$0] } ?? [])).joined(separator: "/")
        return path + suffix + (inner.isEmpty ? "" : "(\(inner))")
    }
}

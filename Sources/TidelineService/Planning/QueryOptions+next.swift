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
        return options.parts.map { "\($0.name)=\(PercentCoding.encode(queryValue: $0.value))" }.joined(separator: "&")
    }

    /// The options as names and texts.
    private var parts: [(name: String, value: String)] {
        var parts: [(String, String)] = []
        if let filter { parts.append(("$filter", ExpressionPrinter.print(filter))) }
        if !orderBy.isEmpty {
            let items = orderBy.map { ExpressionPrinter.print($0.expression) + ($0.isDescending ? " desc" : "") }
            parts.append(("$orderby", items.joined(separator: ",")))
        }
        if let select { parts.append(("$select", select.map(Self.text).joined(separator: ","))) }
        if !expand.isEmpty { parts.append(("$expand", expand.map(Self.text).joined(separator: ","))) }
        if count { parts.append(("$count", "true")) }
        if let top { parts.append(("$top", "\(top)")) }
        if let skip { parts.append(("$skip", "\(skip)")) }
        return parts
    }

    private static func text(_ item: SelectItem) -> String {
        switch item {
        case .all: "*"
        case .property(let name): name
        }
    }

    private static func text(_ item: ExpandItem) -> String {
        let suffix =
            switch item.content {
            case .entities: ""
            case .references: "/$ref"
            case .count: "/$count"
            }
        let inner = item.options.parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
        return item.navigation + suffix + (inner.isEmpty ? "" : "(\(inner))")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    mutating func expand() throws(ODataError) -> [ExpandItem] {
        try enter()
        defer { depth -= 1 }
        var items: [ExpandItem] = []
        repeat {
            text.skipBlanks()
            items.append(try expandItem())
            guard items.count <= 200 else { throw text.tooComplex("There are more than 200 items of $expand.") }
            text.skipBlanks()
        } while text.skip(",")
        return items
    }

    private mutating func expandItem() throws(ODataError) -> ExpandItem {
        if text.next == UInt8(ascii: "$") {
            let start = text.offset
            text.offset += 1
            guard text.word() == "value" else {
                throw text.error("Of what begins with $ there is $value here.", at: start)
            }
            return ExpandItem(navigation: "$value", content: .value)
        }
        var item = try expandPath()
        guard text.skip("(") else { return item }
        item.options = try nestedOptions(
            allowed: item.navigation == "*" ? Self.starOptions(item.content) : Self.options(of: item.content),
            of: "$expand"
        )
        return item
    }

    /// Everything before the options.
    private mutating func expandPath() throws(ODataError) -> ExpandItem {
        var names: [String] = []
        var content = ExpandItem.Content.entities
        repeat {
            guard names.count < 20 else { throw text.tooComplex("A path has more than 20 names.") }
            if text.skip("*") {
                names.append("*")
                if text.next == UInt8(ascii: "/") {
                    let start = text.offset
                    text.offset += 1
                    guard try self.content(after: names) == .references else {
                        throw text.error("After * comes $ref or nothing.", at: start)
                    }
                    content = .references
                }
                break
            }
            if !names.isEmpty, let found = try self.content(after: names) {
                content = found
                break
            }
            names.append(try memberName("The name of a navigation property is missing."))
        } while text.skip("/")
        var cast: String?
        if names.count > 1, let last = names.last, last.utf8.contains(UInt8(ascii: ".")), !last.hasPrefix("@") {
            cast = last
            names.removeLast()
        }
        let navigation = names.removeLast()
        return ExpandItem(prefix: names, navigation: navigation, cast: cast, content: content)
    }

    /// `$ref` or `$count`; otherwise nothing is read.
    private mutating func content(after names: [String]) throws(ODataError) -> ExpandItem.Content? {
        guard text.skip("$") else { return nil }
        let start = text.offset
        switch text.word() {
        case "ref": return .references
        case "count": return .count
        case let word: throw text.error("There is no $\(word ?? "") in $expand.", at: start)
        }
    }

    /// Source: OData ABNF construction rules, `expandItem`.
    private static func options(of content: ExpandItem.Content) -> Set<SystemQueryOption> {
        switch content {
        case .entities: [.filter, .search, .orderby, .skip, .top, .count, .select, .expand, .levels, .compute]
        case .references: [.filter, .search, .orderby, .skip, .top, .count]
        case .count: [.filter, .search]
        case .value: []
        }
    }

    private static func starOptions(_ content: ExpandItem.Content) -> Set<SystemQueryOption> {
        content == .entities ? [.levels] : []
    }
}

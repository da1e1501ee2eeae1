// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// Reads the value of one option of a URL, up to the end of the text.
    mutating func option(_ option: SystemQueryOption, into options: inout QueryOptions) throws(ODataError) {
        switch option {
        case .filter, .orderby, .top, .skip, .select, .expand, .count, .levels, .search, .compute:
            try nestableOption(option, into: &options)
        case .skiptoken: options.skipToken = try rest(of: option)
        case .deltatoken: options.deltaToken = try rest(of: option)
        case .format: options.format = try rest(of: option)
        case .id: options.id = try rest(of: option)
        case .apply, .index, .schemaversion, .root:
            throw text.notSupported("The query option $\(option.rawValue) is not supported.")
        }
    }

    /// Reads the value of one option that may also stand inside `$expand`, up to what ends it there.
    private mutating func nestableOption(
        _ option: SystemQueryOption,
        into options: inout QueryOptions
    ) throws(ODataError) {
        switch option {
        case .filter:
            options.filter = try expression()
        case .orderby: options.orderBy = try orderBy()
        case .top: options.top = try count()
        case .skip: options.skip = try count()
        case .count:
            switch text.word()?.lowercased() {
            case "true": options.count = true
            case "false": options.count = false
            default: throw text.error("$count is true or false.")
            }
        case .select: options.select = try select()
        case .expand: options.expand = try expand()
        default: throw text.notSupported("The query option $\(option.rawValue) is not supported.")
        }
    }

    private mutating func rest(of option: SystemQueryOption) throws(ODataError) -> String {
        let value = String(decoding: text.bytes[text.offset...], as: UTF8.self)
        guard !value.isEmpty else { throw text.error("$\(option.rawValue) has no value.") }
        text.offset = text.bytes.count
        return value
    }

    /// `1*DIGIT`: no sign, no blank.
    private mutating func count() throws(ODataError) -> Int {
        let start = text.offset
        var value = 0
        while let byte = text.next, byte >= 0x30, byte <= 0x39 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooMuch) = product.addingReportingOverflow(Int(byte - 0x30))
            guard !overflow, !tooMuch else { throw text.error("The number is too large.", at: start) }
            value = sum
            text.offset += 1
        }
        guard text.offset > start else { throw text.error("A number without a sign was expected.") }
        return value
    }

    // MARK: $select

    private mutating func select() throws(ODataError) -> [SelectItem] {
        var items: [SelectItem] = []
        repeat {
            text.skipBlanks()
            if text.skip("*") {
                items.append(.all)
            } else if let name = text.word() {
                switch text.next {
                case UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: "."):
                    throw text.notSupported("In $select only names of properties are supported.")
                default: items.append(.property(name))
                }
            } else {
                if text.next == UInt8(ascii: "@") {
                    throw text.notSupported("Annotations in $select are not supported.")
                }
                throw text.error("The name of a property is missing.")
            }
            guard items.count <= 2000 else { throw text.tooComplex("There are more than 2000 items of $select.") }
            text.skipBlanks()
        } while text.skip(",")
        return items
    }

    // MARK: $expand

    private mutating func expand() throws(ODataError) -> [ExpandItem] {
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
        var item: ExpandItem
        if text.skip("*") {
            item = ExpandItem(navigation: "*")
        } else if let name = text.word() {
            item = ExpandItem(navigation: name)
        } else if text.next == UInt8(ascii: "$") || text.next == UInt8(ascii: "@") {
            throw text.notSupported("In $expand only names of navigation properties are supported.")
        } else {
            throw text.error("The name of a navigation property is missing.")
        }
        if text.next == UInt8(ascii: ".") { throw text.notSupported("Type casts in $expand are not supported.") }
        if text.skip("/") {
            guard text.skip("$"), let word = text.word() else {
                throw text.notSupported("Paths in $expand are not supported.")
            }
            switch word {
            case "ref": item.content = .references
            case "count": item.content = .count
            default: throw text.error("There is no $\(word) in $expand.")
            }
        }
        if text.skip("(") { item.options = try nestedOptions(allowed: Self.options(of: item.content)) }
        return item
    }

    /// Source: OData ABNF construction rules, `expandItem`.
    private static func options(of content: ExpandItem.Content) -> Set<SystemQueryOption> {
        switch content {
        case .entities: [.filter, .search, .orderby, .skip, .top, .count, .select, .expand, .levels, .compute]
        case .references: [.filter, .search, .orderby, .skip, .top, .count]
        case .count: [.filter, .search]
        }
    }

    /// `$filter=…;$top=3)`, the parenthesis before it passed.
    private mutating func nestedOptions(allowed: Set<SystemQueryOption>) throws(ODataError) -> QueryOptions {
        var options = QueryOptions()
        var seen: Set<SystemQueryOption> = []
        repeat {
            text.skipBlanks()
            if text.next == UInt8(ascii: "@") {
                throw text.notSupported("Parameter aliases inside $expand are not supported.")
            }
            let start = text.offset
            let hasDollar = text.skip("$")
            guard let name = text.word() else { throw text.error("The name of a query option is missing.") }
            text.skipBlanks()
            guard text.skip("=") else { throw text.error("An = is missing.") }
            guard let option = SystemQueryOption(rawValue: name.lowercased()), allowed.contains(option) else {
                throw text.error("Here is no place for a query option \(hasDollar ? "$" : "")\(name).", at: start)
            }
            guard seen.insert(option).inserted else {
                throw text.error("$\(option.rawValue) is there twice.", at: start)
            }
            try nestableOption(option, into: &options)
            text.skipBlanks()
        } while text.skip(";")
        guard text.skip(")") else { throw text.error("The options of $expand do not end.") }
        return options
    }
}

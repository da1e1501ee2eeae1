// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// Reads the value of one option of a URL, up to the end of the text.
    mutating func option(_ option: SystemQueryOption, into options: inout QueryOptions) throws(ODataError) {
        switch option {
        case .filter, .orderby, .top, .skip, .select, .expand, .count, .levels, .search, .compute:
            try nestableOption(option, into: &options)
        case .apply: options.apply = try transformations()
        case .index: options.index = try signedCount()
        case .schemaversion: options.schemaVersion = try rest(of: option)
        case .skiptoken: options.skipToken = try rest(of: option)
        case .deltatoken: options.deltaToken = try rest(of: option)
        case .format: options.format = try format()
        case .id: options.id = try rest(of: option)
        }
    }

    /// Reads the value of one option that may also stand inside `$expand`, up to what ends it there.
    mutating func nestableOption(
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
        case .search: options.search = try search()
        case .compute: options.compute = try computeItems()
        case .levels: options.levels = try levels()
        default: throw text.error("Here is no place for the query option $\(option.rawValue).")
        }
    }

    private mutating func rest(of option: SystemQueryOption) throws(ODataError) -> String {
        let value = String(decoding: text.bytes[text.offset...], as: UTF8.self)
        guard !value.isEmpty else { throw text.error("$\(option.rawValue) has no value.") }
        text.offset = text.bytes.count
        return value
    }

    /// `json`, `xml`, `atom` or a media type.
    private mutating func format() throws(ODataError) -> String {
        let value = try rest(of: .format)
        let parts = value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard ["json", "xml", "atom"].contains(value.lowercased()) || parts.count == 2 && !parts.contains("") else {
            throw text.error("$format is json, xml, atom or a media type.", at: 0)
        }
        return value
    }

    /// `1*DIGIT`: no sign, no blank.
    mutating func count() throws(ODataError) -> Int {
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

    private mutating func signedCount() throws(ODataError) -> Int {
        text.skip("-") ? -(try count()) : try count()
    }

    private mutating func levels() throws(ODataError) -> ExpandLevels {
        if text.keyword().letters == TextScanner.packed("max") {
            text.offset += 3
            return .max
        }
        guard text.next != UInt8(ascii: "0") else { throw text.error("$levels is max or a number of at least 1.") }
        return .number(try count())
    }

    /// `Price mul Quantity as Total,…`.
    mutating func computeItems() throws(ODataError) -> [ComputeItem] {
        var items: [ComputeItem] = []
        repeat {
            text.skipBlanks()
            let value = try expression()
            guard let name = alias() else { throw text.error("The name of a computed property follows as.") }
            items.append(ComputeItem(value, as: name))
            guard items.count <= 100 else { throw text.tooComplex("There are more than 100 computed properties.") }
            text.skipBlanks()
        } while text.skip(",")
        return items
    }

    /// ` as Name`; otherwise nothing is read.
    mutating func alias() -> String? {
        let start = text.offset
        if text.skipBlanks() > 0, text.keyword().letters == TextScanner.packed("as") {
            text.offset += 2
            if text.skipBlanks() > 0, let name = text.word() { return name }
        }
        text.offset = start
        return nil
    }

    // MARK: Nested options

    /// `$filter=…;$top=3)`, the parenthesis before it passed.
    mutating func nestedOptions(allowed: Set<SystemQueryOption>, of owner: String) throws(ODataError) -> QueryOptions {
        try enter()
        let outer = localAliases
        level += 1
        defer {
            depth -= 1
            level -= 1
            localAliases = outer
        }
        var options = QueryOptions()
        var seen: Set<SystemQueryOption> = []
        repeat {
            text.skipBlanks()
            if text.next == UInt8(ascii: "@") {
                try localAlias(into: &options)
                text.skipBlanks()
                continue
            }
            let start = text.offset
            let hasDollar = text.skip("$")
            guard let name = text.word() else { throw text.error("The name of a query option is missing.") }
            guard let option = SystemQueryOption(rawValue: name.lowercased()), allowed.contains(option) else {
                throw text.error("Here is no place for a query option \(hasDollar ? "$" : "")\(name).", at: start)
            }
            text.skipBlanks()
            guard text.skip("=") else { throw text.error("An = is missing.") }
            guard seen.insert(option).inserted else {
                throw text.error("$\(option.rawValue) is there twice.", at: start)
            }
            try nestableOption(option, into: &options)
            text.skipBlanks()
        } while text.skip(";")
        guard text.skip(")") else { throw text.error("The options of \(owner) do not end.") }
        return options
    }

    /// `@p=value` among nested options.
    private mutating func localAlias(into options: inout QueryOptions) throws(ODataError) {
        text.offset += 1
        let start = text.offset
        let name = try aliasName()
        guard name != "me" else { throw text.error("@me is the signed-in user and cannot be given.", at: start) }
        guard options.aliases[name] == nil else { throw text.error("@\(name) is there twice.", at: start) }
        guard text.skip("=") else { throw text.error("An = is missing.") }
        let value = try disjunction()
        options.aliases[name] = value.expression
        localAliases[name] = LocalAlias(expression: value, level: level)
    }
}

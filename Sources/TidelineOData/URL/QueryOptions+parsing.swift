// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension QueryOptions {
    /// Reads the percent-encoded query of a URL, without its question mark.
    ///
    /// Names are read with and without `$` and in any letter case. Other names without `$` are custom options.
    /// - Throws: `InvalidURL`, `UnknownQueryOption`, `NotSupported`, `TooComplex`, or the code of the option that is
    ///   wrong.
    public init(parsing query: Substring, names: NameTable? = nil) throws(ODataError) {
        try self.init(try QueryString(query), names: names)
    }

    /// Reads the query of a URL together with the body of a request to `/$query`, which has the same form.
    ///
    /// - Throws: as ``init(parsing:names:)``; also for an option that is in both.
    public init(parsing query: Substring, body: Substring, names: NameTable? = nil) throws(ODataError) {
        let parts = [query, body].filter { !$0.isEmpty }
        try self.init(parsing: parts.joined(separator: "&")[...], names: names)
    }

    /// - Parameters:
    ///   - allowed: the system options that may be there; all when `nil`.
    ///   - takesRepeated: whether an option may be there twice, which the grammar allows and the text forbids.
    init(
        _ query: QueryString,
        names: NameTable? = nil,
        allowed: Set<SystemQueryOption>? = nil,
        takesRepeated: Bool = false
    ) throws(ODataError) {
        self.init()
        var seen: Set<String> = []
        var budget = 0
        for parameter in query.parameters {
            let lower = parameter.name.lowercased()
            let name = lower.hasPrefix("$") ? String(lower.dropFirst()) : lower
            guard let option = SystemQueryOption(rawValue: name), option.isTop,
                lower.hasPrefix("$") || option.isKnownBare
            else {
                try takeCustom(parameter, names)
                continue
            }
            guard seen.insert(name).inserted || takesRepeated else {
                throw ODataError(.invalidQueryOption, "$\(name) is there twice.", target: "$\(name)")
            }
            if let allowed, !allowed.contains(option) {
                var error = ODataError(.invalidQueryOption, "$\(name) has no place here.", target: "$\(name)")
                error.position = parameter.position
                throw error
            }
            let value = parameter.value ?? DecodedText(endAt: parameter.end)
            var reader = ExpressionReader(
                value,
                code: option.code,
                aliases: query.aliases,
                nodes: budget,
                names: names
            )
            do throws(ODataError) {
                try reader.option(option, into: &self)
                reader.text.skipBlanks()
                guard reader.text.isAtEnd else {
                    // Forms write a blank so, and with them curl's --data-urlencode and Python's requests.
                    let isPlus = reader.text.next == UInt8(ascii: "+")
                    throw reader.text.error(
                        isPlus
                            ? "A + stands for itself in an address; write a blank as %20."
                            : "Something follows the value of $\(name)."
                    )
                }
            } catch {
                var error = error
                if error.target == nil { error.target = "$\(name)" }
                throw error
            }
            budget = reader.nodes
        }
        for (name, value) in query.aliasTexts {
            aliases[name] = try Self.alias(name, value, query, names, budget: &budget)
        }
    }

    private mutating func takeCustom(_ parameter: QueryString.Parameter, _ names: NameTable?) throws(ODataError) {
        func refused(_ code: ODataError.Code, at position: Int) -> ODataError {
            var error = ODataError(code, "There is no query option \(parameter.name).", target: parameter.name)
            error.position = position
            return error
        }
        guard !parameter.name.hasPrefix("$") else { throw refused(.unknownQueryOption, at: parameter.position) }
        if let known = names?.customOptions, !known.contains(parameter.name) {
            guard parameter.value != nil, names?[parameter.name].contains(.parameter) == true else {
                throw refused(.unknownQueryOption, at: parameter.end)
            }
        }
        custom[parameter.name] = parameter.value?.string ?? ""
    }

    private static func alias(
        _ name: String,
        _ value: DecodedText,
        _ query: QueryString,
        _ names: NameTable?,
        budget: inout Int
    ) throws(ODataError) -> Expression {
        var reader = ExpressionReader(
            value,
            code: .invalidQueryOption,
            aliases: query.aliases,
            nodes: budget,
            names: names
        )
        do throws(ODataError) {
            let expression = try reader.aliasValue()
            reader.text.skipBlanks()
            try reader.expectEnd()
            budget = reader.nodes
            return expression
        } catch {
            var error = error
            if error.target == nil { error.target = "@\(name)" }
            throw error
        }
    }
}

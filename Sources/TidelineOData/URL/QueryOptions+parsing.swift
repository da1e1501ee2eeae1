// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension QueryOptions {
    /// Reads the percent-encoded query of a URL, without its question mark.
    ///
    /// Names are read with and without `$` and in any letter case. Other names without `$` are custom options and are
    /// ignored.
    /// - Throws: `InvalidURL`, `UnknownQueryOption`, `NotSupported`, `TooComplex`, or the code of the option that is
    ///   wrong.
    public init(parsing query: Substring) throws(ODataError) {
        let parameters = try QueryString(query)
        try self.init(parameters)
    }

    init(_ query: QueryString) throws(ODataError) {
        self.init()
        var seen: Set<String> = []
        var budget = 0
        for parameter in query.parameters {
            let lower = parameter.name.lowercased()
            let name = lower.hasPrefix("$") ? String(lower.dropFirst()) : lower
            guard let option = SystemQueryOption(rawValue: name) else {
                if lower.hasPrefix("$") {
                    throw ODataError(
                        .unknownQueryOption,
                        "There is no query option \(parameter.name).",
                        target: parameter.name
                    )
                }
                continue
            }
            guard seen.insert(name).inserted else {
                throw ODataError(.invalidQueryOption, "$\(name) is there twice.", target: "$\(name)")
            }
            var reader = ExpressionReader(
                parameter.value,
                code: option.code,
                aliases: query.aliases,
                depth: 0,
                nodes: budget
            )
            do throws(ODataError) {
                try reader.option(option, into: &self)
                reader.text.skipBlanks()
                guard reader.text.isAtEnd else { throw reader.text.error("Something follows the value of $\(name).") }
            } catch {
                var error = error
                if error.target == nil { error.target = "$\(name)" }
                throw error
            }
            budget = reader.nodes
        }
    }
}

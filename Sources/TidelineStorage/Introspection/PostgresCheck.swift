// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Brings a CHECK as PostgreSQL prints it to the plain form in which it was probably written.
///
///     (((status)::text = ANY ((ARRAY['A'::character varying, 'B'::character varying])::text[])))
///     status IN ('A', 'B')
enum PostgresCheck {
    static func plain(_ tokens: [CheckToken]) -> [CheckToken] {
        lists(bare(withoutCasts(tokens)))
    }

    /// Without `::type`; a text that is cast to an integer is one.
    private static func withoutCasts(_ tokens: [CheckToken]) -> [CheckToken] {
        var result: [CheckToken] = []
        var place = 0
        while place < tokens.count {
            guard tokens[place] == .mark("::") else {
                result.append(tokens[place])
                place += 1
                continue
            }
            place += 1
            var type = ""
            if place < tokens.count, case .name(let name) = tokens[place] { type = name.lowercased() }
            place += 1
            let more = ["varying", "precision", "without", "with", "time", "zone"]
            while place < tokens.count, more.contains(CheckTokens.words([tokens[place]]).lowercased()) { place += 1 }
            if place + 2 < tokens.count, tokens[place] == .mark("("), tokens[place + 2] == .mark(")") { place += 3 }
            if place + 1 < tokens.count, tokens[place] == .mark("["), tokens[place + 1] == .mark("]") { place += 2 }
            if ["integer", "bigint", "smallint"].contains(type), case .text(let text)? = result.last,
                let number = Int64(text)
            {
                result[result.count - 1] = .integer(number)
            }
        }
        return result
    }

    /// Without parentheses around single names and constants, those of a function's argument aside.
    private static func bare(_ tokens: [CheckToken]) -> [CheckToken] {
        var result: [CheckToken] = []
        var place = 0
        while place < tokens.count {
            var isCall = false
            if case .name(let name)? = result.last {
                isCall = !["AND", "OR", "NOT", "ANY", "IN", "BETWEEN"].contains(name.uppercased())
            }
            if !isCall, place + 2 < tokens.count, tokens[place] == .mark("("), tokens[place + 2] == .mark(")"),
                !isMark(tokens[place + 1])
            {
                result.append(tokens[place + 1])
                place += 3
            } else {
                result.append(tokens[place])
                place += 1
            }
        }
        return result.count == tokens.count ? result : bare(result)
    }

    private static func isMark(_ token: CheckToken) -> Bool {
        if case .mark = token { true } else { false }
    }

    /// `= ANY (ARRAY[…])` as `IN (…)`.
    private static func lists(_ tokens: [CheckToken]) -> [CheckToken] {
        var result: [CheckToken] = []
        var place = 0
        while place < tokens.count {
            guard tokens[place] == .mark("="), place + 3 < tokens.count,
                CheckTokens.words([tokens[place + 1]]) == "ANY", tokens[place + 2] == .mark("(")
            else {
                result.append(tokens[place])
                place += 1
                continue
            }
            var start = place + 3
            var depth = 1
            while start < tokens.count, tokens[start] == .mark("(") {
                depth += 1
                start += 1
            }
            guard start + 1 < tokens.count, CheckTokens.words([tokens[start]]) == "ARRAY",
                tokens[start + 1] == .mark("["),
                let end = tokens[start...].firstIndex(of: .mark("]")), end + depth < tokens.count + 1
            else { return tokens }
            result += [.name("IN"), .mark("(")] + tokens[(start + 2)..<end] + [.mark(")")]
            place = end + 1 + depth
        }
        return result
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Keys as the command line writes them: OData key predicates, with or without parentheses.
///
///     42      'k1'      OrderID=1,Line=2      (-1)
enum KeyText {
    static func parse(_ text: String, of set: EntitySet) throws -> Key {
        let inner = text.hasPrefix("(") && text.hasSuffix(")") ? String(text.dropFirst().dropLast()) : text
        do {
            let path = try RequestTarget(parsing: "X(" + PercentCoding.encode(segment: inner) + ")").path
            guard path.segments.count == 1, case .name("X", let predicate?) = path.segments[0] else {
                throw ODataError(.invalidKey, "\(text) is no key.")
            }
            return try predicate.key(for: set.type)
        } catch let error as ODataError {
            let example =
                set.type.key.count == 1
                ? "42 or 'text'" : set.type.key.map { set.type.properties[$0].names.wire + "=…" }.joined(separator: ",")
            throw CommandFailure(
                "\(text) is no key of \(set.names.wire).",
                why: error.message,
                next: "Write it as \(example)."
            )
        }
    }

    /// The arguments with temporary keys in parentheses: `-1` would be taken for an option.
    static func protected(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, ["update", "delete"].contains(command) else { return arguments }
        return arguments.map { argument in
            let digits = argument.dropFirst().utf8
            let isNumber = argument.hasPrefix("-") && !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            return isNumber ? "(\(argument))" : argument
        }
    }

    /// The predicate of a key, without parentheses.
    static func text(_ key: Key, of set: EntitySet) -> String {
        String(ResourceURL.predicate(key, type: set.type).dropFirst().dropLast())
    }
}

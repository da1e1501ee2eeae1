// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Translates the path of a v2 URL.
///
///     Orders(10L)/$links/Client   →   Orders(10)/Client/$ref
struct V2Path {
    let context: V2Context

    /// - Parameter text: the path below the v2 root, percent-encoded.
    /// - Returns: the v4 path, percent-encoded; the set that the path leads to, where it leads to entities; and whether
    ///   it ends in references.
    func translate(_ text: some StringProtocol) throws(ODataError) -> (path: String, set: EntitySet?, isLinks: Bool) {
        var segments: [String] = []
        var set: EntitySet?
        var isLinks = false
        for part in text.split(separator: "/") {
            let segment = try PercentCoding.decode(Substring(part))
            if segment == "$links" {
                isLinks = true
                continue
            }
            var name = segment.prefix { $0 != "(" }
            let key = segment.dropFirst(name.count)
            if segments.isEmpty {
                set = context.model[set: String(name)]
                guard set != nil || name.hasPrefix("$") else {
                    throw ODataError(
                        .notFound,
                        "There is no entity set \(name.prefix(128)).",
                        target: String(name.prefix(128))
                    )
                }
                name = context.publishedName(String(name))[...]
            } else if let current = set, let place = current.type.navigationIndex(wire: String(name)) {
                set = context.model[set: current.type.navigationProperties[place].targetSet]
            } else if !name.hasPrefix("$") {
                set = nil
            }
            segments.append("\(name)" + (key.isEmpty || key == "()" ? "" : try self.key(key, set)))
        }
        if isLinks { segments.append("$ref") }
        return (segments.map { PercentCoding.encode(segment: $0) }.joined(separator: "/"), set, isLinks)
    }

    /// A key predicate with its parentheses.
    private func key(_ text: Substring, _ set: EntitySet?) throws(ODataError) -> String {
        // Named values look like comparisons to the translation of literals: Name=datetime'…'.
        let first = set.flatMap { set in set.type.key.count == 1 ? set.type.properties[set.type.key[0]] : nil }
        let expression = V2Expression(context: context, set: set)
        if let first, !text.contains("="), first.type == .date {
            return try expression.translate("\(first.names.wire) \(text)").replacingPrefix("\(first.names.wire) ")
        }
        return try expression.translate(String(text))
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}

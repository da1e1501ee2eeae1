// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Paths of model elements, as annotations that stand apart name what they are about.
///
/// Source: OData CSDL 4.01, section 14.2.2.
enum TargetPath {
    /// Whether a path may name a model element: names with slashes between, an overload in parentheses after the first.
    static func isWellFormed(_ path: String) -> Bool {
        var rest = path
        if let open = path.firstIndex(of: "("), let end = path.lastIndex(of: ")"), open < end {
            // `Collection(…)` may stand inside, so the overload ends with the last parenthesis.
            let inside = path[path.index(after: open)..<end]
            guard inside.isEmpty || overload(inside) else { return false }
            rest = String(path[..<open] + path[path.index(after: end)...])
        } else if path.contains("(") || path.contains(")") {
            return false
        }
        return rest.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    private static func overload(_ text: Substring) -> Bool {
        text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
            // Blanks after commas are not in the grammar, but they are in the world.
            let part = part.drop { $0 == " " }
            let name =
                part.hasPrefix("Collection(") && part.hasSuffix(")") ? part.dropFirst(11).dropLast() : part
            return !name.isEmpty && !name.contains { $0 == "(" || $0 == ")" || $0.isWhitespace }
        }
    }
}

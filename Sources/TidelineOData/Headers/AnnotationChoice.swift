// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Which annotations an answer is to have: the preference `include-annotations` with its meaning.
///
///     Core.*,-Core.Description,display.*#Tablet
///
/// The most specific entry decides: a term before a pattern, a longer pattern before a shorter one, one with a qualifier
/// before one without. A term without a qualifier means all its qualifiers. What no entry names is left out where the
/// list asks for something, and stays where it only leaves out.
/// Source: OData Protocol 4.01, section 8.2.8.4.
public struct AnnotationChoice: Hashable, Sendable {
    /// The entries, in the order of the preference.
    public let patterns: [AnnotationPattern]

    public init(_ patterns: [AnnotationPattern]) {
        self.patterns = patterns
    }

    /// Whether an annotation is to be there.
    ///
    /// - Parameter term: qualified by its namespace, or by the usual alias of a standard vocabulary.
    public func includes(_ term: String, qualifier: String? = nil) -> Bool {
        let name = Self.full(term)
        var best = -1
        var isIncluded = patterns.allSatisfy(\.isExcluded)
        for pattern in patterns {
            guard let rank = Self.rank(pattern, name, qualifier), rank > best else { continue }
            best = rank
            isIncluded = !pattern.isExcluded
        }
        return isIncluded
    }

    /// The same for the name of a member of an object, `Core.Description#Short`.
    func includes(member name: Substring) -> Bool {
        let parts = name.split(separator: "#", maxSplits: 1)
        return includes(String(parts.first ?? ""), qualifier: parts.count == 2 ? String(parts[1]) : nil)
    }

    /// How specific a pattern is that an annotation fits, or `nil` when it does not.
    private static func rank(_ pattern: AnnotationPattern, _ name: String, _ qualifier: String?) -> Int? {
        if let wanted = pattern.qualifier, wanted != qualifier { return nil }
        let extra = pattern.qualifier == nil ? 0 : 1
        if pattern.term == "*" { return extra }
        let term = full(pattern.term)
        guard term.hasSuffix(".*") else { return term == name ? Int.max - 1 + extra : nil }
        return name.hasPrefix(term.dropLast()) ? term.utf8.count * 2 + extra : nil
    }

    /// The name with the namespace of a standard vocabulary for its alias.
    private static func full(_ name: String) -> String {
        guard let dot = name.firstIndex(of: "."), let vocabulary = Vocabulary(rawValue: String(name[..<dot])),
            !name[name.index(after: dot)...].contains(".")
        else { return name }
        return vocabulary.namespace + name[dot...]
    }
}

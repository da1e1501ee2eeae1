// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One entry of the preference `include-annotations`: which annotations an answer is to have, or is not to have.
///
///     -Core.*#Tablet
///
/// Source: OData Protocol 4.01, section 8.2.8.4; ABNF construction rules, `annotationIdentifier`.
public struct AnnotationPattern: Hashable, Sendable {
    /// Whether a `-` excludes what the pattern names.
    public var isExcluded: Bool
    /// `*`, `Namespace.*` or a qualified term.
    public var term: String
    public var qualifier: String?

    public init(_ term: String, qualifier: String? = nil, isExcluded: Bool = false) {
        self.term = term
        self.qualifier = qualifier
        self.isExcluded = isExcluded
    }

    /// Reads the list in the quotes of the preference.
    ///
    /// - Throws: `InvalidHeader`, with the place in the list.
    public static func list(parsing text: String) throws(ODataError) -> [AnnotationPattern] {
        var scanner = TextScanner(text, code: .invalidHeader)
        var patterns: [AnnotationPattern] = []
        repeat {
            var pattern = AnnotationPattern("*")
            pattern.isExcluded = scanner.skip("-")
            if !scanner.skip("*") {
                guard let name = scanner.qualifiedName() else { throw scanner.error("A term or * is missing.") }
                if scanner.next == UInt8(ascii: "."), scanner.byte(1) == UInt8(ascii: "*") {
                    scanner.offset += 2
                    pattern.term = name + ".*"
                } else {
                    if scanner.skip(".") || !name.utf8.contains(UInt8(ascii: ".")) {
                        throw scanner.error("A namespace is followed by a dot and a term or *.")
                    }
                    pattern.term = name
                }
            }
            if scanner.skip("#") {
                guard let qualifier = scanner.word() else { throw scanner.error("A qualifier must follow #.") }
                pattern.qualifier = qualifier
            }
            patterns.append(pattern)
            guard patterns.count <= 200 else { throw scanner.tooComplex("There are more than 200 annotations.") }
        } while scanner.skip(",")
        guard scanner.isAtEnd else { throw scanner.error("A comma is missing.") }
        return patterns
    }

    /// The pattern as the preference writes it.
    public var text: String {
        (isExcluded ? "-" : "") + term + (qualifier.map { "#\($0)" } ?? "")
    }
}

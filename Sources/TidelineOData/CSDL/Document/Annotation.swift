// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An annotation: a term and the value that it has here.
///
/// Source: OData CSDL 4.01, section 14.
struct Annotation: Equatable, Sendable {
    var term: String
    var qualifier: String?
    /// `nil` is the term's default value.
    var value: AnnotationExpression?
    var annotations: [Annotation] = []

    init(
        _ term: String,
        _ value: AnnotationExpression? = nil,
        qualifier: String? = nil,
        annotations: [Annotation] = []
    ) {
        self.term = term
        self.qualifier = qualifier
        self.value = value
        self.annotations = annotations
    }

    /// Whether this is the unqualified term of a vocabulary, under its full name or the usual alias.
    func isTerm(_ vocabulary: Vocabulary, _ name: String) -> Bool {
        qualifier == nil && vocabulary.names(term, name)
    }
}

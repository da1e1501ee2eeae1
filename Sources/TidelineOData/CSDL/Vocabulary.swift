// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The vocabularies that our metadata documents refer to.
///
/// Source: OData Vocabularies 4.0.
enum Vocabulary: String, CaseIterable {
    case core = "Core"
    case capabilities = "Capabilities"
    case validation = "Validation"
    case measures = "Measures"
    case aggregation = "Aggregation"
    case repeatability = "Repeatability"

    /// The namespace of the vocabulary.
    var namespace: String { "Org.OData.\(rawValue).V1" }

    /// Where it is published, without the ending.
    var uri: String { "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/\(namespace)" }

    /// A term of the vocabulary under the alias that we give it.
    func term(_ name: String) -> String { "\(rawValue).\(name)" }

    /// Whether a text names a term of the vocabulary, under its alias or its full name.
    func names(_ text: String, _ name: String) -> Bool {
        guard text.hasSuffix(name) else { return false }
        let rest = text.dropLast(name.count)
        return rest == "\(rawValue)." || rest == "\(namespace)."
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The vocabularies that the metadata documents refer to, and the terms that both formats use.
enum Vocabulary {
    static let references: [(uri: String, namespace: String, alias: String)] = [
        ("https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1", "Org.OData.Core.V1", "Core"),
        (
            "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1",
            "Org.OData.Capabilities.V1", "Capabilities"
        ),
    ]

    static let computed = "Computed"
    static let computedDefaultValue = "ComputedDefaultValue"

    /// A term of Core under its alias or its full name.
    static func isCore(_ term: String, _ name: String) -> Bool {
        term == "Core." + name || term == "Org.OData.Core.V1." + name
    }

    /// A term of Capabilities under its alias or its full name.
    static func isCapability(_ term: String, _ name: String) -> Bool {
        term == "Capabilities." + name || term == "Org.OData.Capabilities.V1." + name
    }
}

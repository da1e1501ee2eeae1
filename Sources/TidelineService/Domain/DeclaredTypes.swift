// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The types that a domain's file declares apart from its sets.
struct DeclaredTypes {
    var enumerations: [EnumerationType] = []
    var complexTypes: [ComplexType] = []

    func enumeration(_ name: String) -> EnumerationType? { enumerations.first { $0.names.wire == name } }
    func complexType(_ name: String) -> ComplexType? { complexTypes.first { $0.names.wire == name } }
}

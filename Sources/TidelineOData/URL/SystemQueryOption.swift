// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The system query options of the standard, by their names without `$`, in lower case.
///
/// Source: OData Protocol 4.01, section 11.2; OData URL Conventions 4.01, section 5.1.
enum SystemQueryOption: String, Sendable {
    case filter, orderby, top, skip, select, expand, count, skiptoken, deltatoken, format, id
    case search, compute, apply, levels, index, schemaversion

    /// The code of errors in its value.
    var code: ODataError.Code {
        switch self {
        case .filter: .invalidFilter
        case .orderby: .invalidOrderBy
        case .select: .invalidSelect
        case .expand: .invalidExpand
        default: .invalidQueryOption
        }
    }

    /// Whether it may stand in a URL itself.
    var isTop: Bool { self != .levels }

    /// Whether the name may be written without `$`: everywhere but in the two tokens, which are of our own making.
    var isKnownBare: Bool { self != .skiptoken && self != .deltatoken }
}

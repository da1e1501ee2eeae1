// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

extension ResourcePath.Segment {
    /// What is wrong where it stands after something that it does not go with.
    var misplaced: ODataError {
        switch self {
        case .name(let name, _):
            return ODataError(.notFound, "Nothing is called \(name) here.", target: name)
        case .count:
            return ODataError(
                .notFound,
                "/$count counts a collection, and what stands before it is none.",
                target: "$count"
            )
        case .value:
            let what = "a property, a stream or a media entity"
            return ODataError(.notFound, "/$value is for \(what), and what stands before it is none.", target: "$value")
        case .ref:
            return ODataError(.notFound, "/$ref is for entities, and what stands before it is none.", target: "$ref")
        case .filter, .each:
            return ODataError(.notFound, "/$filter and /$each are for collections of entities.", target: nil)
        case .key:
            return ODataError(.notFound, "A key in parentheses follows an entity set or a related collection.")
        default:
            return ODataError(.notFound, "The path leads nowhere.")
        }
    }
}

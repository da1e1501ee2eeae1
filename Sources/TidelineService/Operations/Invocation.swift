// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A call of an operation as its URL says it, not carried out yet.
struct Invocation {
    /// What the operation is called on.
    enum Target {
        case none
        case entity(Resource.Entity)
        case collection(Resource.Collection)
    }

    var operation: EdmOperation
    /// The values of a function's parameters, by place; those of an action stand in the body of its request.
    var arguments: [Value?] = []
    var target = Target.none
}

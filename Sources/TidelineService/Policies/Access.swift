// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What the policies let a user do with the entities of one set.
enum Access: Hashable {
    case none
    case all
    /// With those that satisfy the condition.
    case when(TypedExpression)

    /// The condition on a row; `nil` for every row.
    var condition: TypedExpression? {
        switch self {
        case .none: .falsehood
        case .all: nil
        case .when(let condition): condition
        }
    }

    /// Either of two policies is enough.
    func or(_ other: Access) -> Access {
        switch (self, other) {
        case (.all, _), (_, .all): .all
        case (.none, let access), (let access, .none): access
        case (.when(let left), .when(let right)): left == right ? self : .when(left.or(right))
        }
    }
}

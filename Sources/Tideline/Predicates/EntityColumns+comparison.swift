// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Comparisons of what is referred to with an entity: by its key, which is bound as a value.
///
///     Session.where { $0.track == trackA }
extension EntityColumns {
    /// Whether it is that entity; `nil` is none.
    public static func == <Target: Queryable>(left: Self, right: Target?) -> Condition where Target.Columns == Self {
        guard let right else { return Condition(.binary(.equal, .path(left.navigationPath), .literal(.null))) }
        let names = Target.entityDescription.key.map { Target.entityDescription.properties[$0].property.names.wire }
        let tests = zip(names, right.entityKey.values).map { name, value in
            Expression.binary(.equal, .path(left.navigationPath + [name]), .literal(value))
        }
        return Condition(tests.dropFirst().reduce(tests[0]) { .binary(.and, $0, $1) })
    }

    /// Whether it is another entity or none; `nil` is none.
    public static func != <Target: Queryable>(left: Self, right: Target?) -> Condition where Target.Columns == Self {
        guard let right else { return Condition(.binary(.notEqual, .path(left.navigationPath), .literal(.null))) }
        return !(left == right)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension AggregateItem {
    /// The type of its value over the entities of a set; `nil` where it does not go with them.
    package func type(over set: EntitySet, in model: EntityModel) -> PrimitiveType? {
        switch source {
        case .custom: return nil
        case .count(let path):
            let count = Expression.count(of: path, filter: nil, search: nil)
            guard path.isEmpty || (try? ExpressionChecker(model: model, set: set).check(count)) != nil else {
                return nil
            }
            return .int64
        case .expression(let expression):
            guard let method, let value = try? ExpressionChecker(model: model, set: set).check(expression) else {
                return nil
            }
            return try? Folding.of(method, over: value).type
        }
    }
}

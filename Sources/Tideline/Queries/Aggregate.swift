// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What is made of a value of many entities: a sum, the least, the number of different ones.
///
///     Order.all.grouped(by: { $0.client.clientName }) { ($0.total.sum, $0.total.max) }
///
/// Null is passed over, and of no value at all but null is made, except that counts are 0.
public struct Aggregate<Content: PropertyValue>: Sendable {
    let erased: AnyAggregate
}

extension Aggregate where Content == Int64 {
    /// The number of entities.
    public static var count: Aggregate { Aggregate(erased: AnyAggregate(value: nil, method: .sum)) }
}

extension Term {
    /// The least value.
    public var min: Aggregate<Content> { Aggregate(erased: AnyAggregate(value: expression, method: .min)) }

    /// The greatest value.
    public var max: Aggregate<Content> { Aggregate(erased: AnyAggregate(value: expression, method: .max)) }

    /// The number of different values.
    public var distinctCount: Aggregate<Int64> {
        Aggregate<Int64>(erased: AnyAggregate(value: expression, method: .countDistinct))
    }
}

extension Term where Content: NumberValue {
    /// The sum.
    public var sum: Aggregate<Content.Sum> {
        Aggregate<Content.Sum>(erased: AnyAggregate(value: expression, method: .sum))
    }

    /// The mean.
    public var average: Aggregate<Content.Average> {
        Aggregate<Content.Average>(erased: AnyAggregate(value: expression, method: .average))
    }
}

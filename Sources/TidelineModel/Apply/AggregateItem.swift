// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One value that `aggregate` makes: `Sales/Amount with sum as Total`.
///
/// Source: OData Extension for Data Aggregation 4.0, section 3.2.1.
public struct AggregateItem: Hashable, Sendable {
    /// What is aggregated.
    public enum Source: Hashable, Sendable {
        /// The value of an expression over each instance: `Amount mul Product/TaxRate`.
        case expression(Expression)
        /// A custom aggregate or a measure by its path: `Forecast`.
        case custom([String])
        /// `Path/$count`, how many instances there are; of the input set itself when the path is empty.
        case count([String])
    }

    /// One step of `from Name with method`: a value for each value of a grouping property first.
    public struct Step: Hashable, Sendable {
        public var property: [String]
        public var method: AggregateMethod?

        public init(property: [String], method: AggregateMethod?) {
            self.property = property
            self.method = method
        }
    }

    public var source: Source
    /// The method after `with`; `nil` for custom aggregates and counts.
    public var method: AggregateMethod?
    /// The steps after `from`, in the order of writing.
    public var from: [Step]
    /// The name after `as`, which only custom aggregates may lack.
    public var alias: String?

    public init(_ source: Source, with method: AggregateMethod? = nil, from: [Step] = [], as alias: String? = nil) {
        self.source = source
        self.method = method
        self.from = from
        self.alias = alias
    }
}

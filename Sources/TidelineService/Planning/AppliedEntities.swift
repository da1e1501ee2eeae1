// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// What `$apply` makes where its result are entities of the set: which of them, and what stands beside their properties.
///
///     filter(Total gt 5)/groupby((Kind),topcount(2,Total))/addnested(Lines,filter(Price gt 1) as Dear)
///     \____________________ steps _____________________/ \_________________ expand _______________/
struct AppliedEntities {
    /// One value or several that `addnested` aggregates: a collection of one row.
    struct Aggregated {
        var navigation: String
        var sequence: [Transformation]
        var name: String
    }

    /// The transformations that choose entities and order them.
    private(set) var steps: [Transformation] = []
    private(set) var compute: [ComputeItem] = []
    private(set) var expand: [ExpandItem] = []
    private(set) var aggregated: [Aggregated] = []
    /// Whether an entity may be there more than once.
    private(set) var isConcatenated = false

    /// Whether it is more than a choice.
    var isNested: Bool { !expand.isEmpty || !aggregated.isEmpty }

    /// - Returns: `nil` where the result are no entities of the set.
    init?(_ transformations: [Transformation], over set: EntitySet) throws(ODataError) {
        for transformation in transformations {
            guard try add(transformation, set) else { return nil }
        }
    }

    private mutating func add(_ transformation: Transformation, _ set: EntitySet) throws(ODataError) -> Bool {
        switch transformation {
        case .identity: return true
        case .filter, .search, .orderBy, .top, .skip, .ranked:
            try refuseExpanded(transformation)
            steps.append(transformation)
        case .compute(let items):
            try refuseExpanded(transformation)
            steps.append(transformation)
            compute += items
        case .expand(let path, let inner): expand.append(try Self.item(path, expanding: inner))
        case .addNested(let path, let sequences): try nest(path, sequences)
        case .groupBy(let elements, let inner):
            guard !inner.isEmpty, elements.allSatisfy({ isOwn($0, set) }),
                let part = try AppliedEntities(inner, over: set), !part.isConcatenated
            else { return false }
            try refuseExpanded(transformation)
            if !part.steps.isEmpty { steps.append(.groupBy(elements, part.steps)) }
            compute += part.compute
            expand += part.expand
            aggregated += part.aggregated
        case .concat(let sequences):
            for sequence in sequences {
                guard let part = try AppliedEntities(sequence, over: set), !part.isNested, part.compute.isEmpty
                else { return false }
            }
            steps.append(transformation)
            isConcatenated = true
        case .aggregate, .join, .nest, .hierarchy, .function: return false
        }
        return true
    }

    /// Whether an entity tells what it is grouped by.
    private func isOwn(_ element: GroupingElement, _ set: EntitySet) -> Bool {
        guard case .property(let path) = element else { return false }
        return path.count == 1 && compute.contains { $0.name == path[0] }
            || set.type.wireProperties.contains { set.type.path(of: $0) == path.joined(separator: "/") }
    }

    /// `expand` replaces what a navigation property leads to: what follows would have to see that.
    private func refuseExpanded(_ transformation: Transformation) throws(ODataError) {
        let text = transformation.text
        for item in expand where item.alias == nil && text.contains(item.navigation) {
            throw ODataError(
                .notSupported,
                "$apply does not support paths over \(item.navigation) after expand(\(item.navigation),…).",
                target: item.navigation
            )
        }
    }

    // MARK: - Related entities

    private mutating func nest(
        _ path: [String],
        _ sequences: [Transformation.NestedSequence]
    ) throws(ODataError) {
        for sequence in sequences {
            if let options = try Self.options(sequence.transformations) {
                var item = try Self.item(path)
                item.alias = sequence.name
                item.options = options
                expand.append(item)
            } else if path.count == 1 {
                aggregated.append(
                    Aggregated(navigation: path[0], sequence: sequence.transformations, name: sequence.name)
                )
            } else {
                throw ODataError(
                    .notSupported,
                    "$apply does not support such a sequence in addnested.",
                    target: "$apply"
                )
            }
        }
    }

    private static func item(_ path: [String]) throws(ODataError) -> ExpandItem {
        var path = path
        var item = ExpandItem(navigation: "")
        if let last = path.last, last.contains(".") {
            item.cast = last
            path.removeLast()
        }
        guard let name = path.popLast(), path.allSatisfy({ $0.contains(".") }) else {
            throw ODataError(
                .notSupported,
                "$apply expands the navigation properties of the entities themselves.",
                target: "$apply"
            )
        }
        item.prefix = path
        item.navigation = name
        return item
    }

    /// `expand(Lines,filter(Price gt 1),expand(Product))`.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, Committee Specification 02, section 3.1.13.
    private static func item(
        _ path: [String],
        expanding inner: [Transformation]
    ) throws(ODataError) -> ExpandItem {
        var item = try item(path)
        for transformation in inner {
            switch transformation {
            case .filter(let condition):
                item.options.filter = item.options.filter.map { .binary(.and, $0, condition) } ?? condition
            case .expand(let path, let inner): item.options.expand.append(try self.item(path, expanding: inner))
            default:
                throw ODataError(
                    .notSupported,
                    "expand takes filter and expand; addnested takes more.",
                    target: "$apply"
                )
            }
        }
        return item
    }

    /// A sequence as the options of an expansion; `nil` where it is not one.
    private static func options(_ sequence: [Transformation]) throws(ODataError) -> QueryOptions? {
        var options = QueryOptions()
        for transformation in sequence {
            let isCut = options.skip != nil || options.top != nil
            switch transformation {
            case .identity: break
            case .filter(let condition) where !isCut:
                options.filter = options.filter.map { .binary(.and, $0, condition) } ?? condition
            case .search(let search) where !isCut && options.search == nil: options.search = search
            case .compute(let items): options.compute += items
            case .orderBy(let items) where !isCut: options.orderBy = items + options.orderBy
            case .skip(let count) where !isCut: options.skip = Int(clamping: count)
            case .top(let count) where options.top == nil: options.top = Int(clamping: count)
            case .ranked(let ranking, .literal(.integer(let count)), by: let value)
            where !isCut && count >= 0 && (ranking == .topCount || ranking == .bottomCount):
                let present = Expression.binary(.notEqual, value, .literal(.null))
                options.filter = options.filter.map { .binary(.and, $0, present) } ?? present
                options.orderBy = [OrderByItem(value, isDescending: ranking == .topCount)]
                options.top = Int(clamping: count)
            case .expand(let path, let inner): options.expand.append(try item(path, expanding: inner))
            case .addNested(let path, let sequences):
                var part = AppliedEntities()
                try part.nest(path, sequences)
                guard part.aggregated.isEmpty else { return nil }
                options.expand += part.expand
            default: return nil
            }
        }
        return options
    }

    private init() {}
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension Transformation {
    /// The value of `$apply` for a sequence, not percent-encoded.
    public static func text(_ sequence: [Transformation]) -> String {
        sequence.map(\.text).joined(separator: "/")
    }

    /// The transformation as `$apply` writes it.
    public var text: String {
        switch self {
        case .identity: "identity"
        case .aggregate(let items): "aggregate(\(items.map(ExpressionPrinter.text).joined(separator: ",")))"
        case .groupBy(let elements, let inner):
            "groupby((\(elements.map(\.text).joined(separator: ",")))\(Transformation.following(inner)))"
        case .filter(let condition): "filter(\(ExpressionPrinter.print(condition)))"
        case .search(let search): "search(\(search.text))"
        case .compute(let items): "compute(\(ExpressionPrinter.text(items)))"
        case .orderBy(let items): "orderby(\(ExpressionPrinter.print(items)))"
        case .top(let count): "top(\(count))"
        case .skip(let count): "skip(\(count))"
        case .concat(let sequences): "concat(\(sequences.map(Transformation.text).joined(separator: ",")))"
        case .ranked(let ranking, let amount, let order):
            "\(ranking.rawValue)(\(ExpressionPrinter.print(amount)),\(ExpressionPrinter.print(order)))"
        case .expand(let path, let inner):
            "expand(\(([path.joined(separator: "/")] + inner.map(\.text)).joined(separator: ",")))"
        case .addNested(let path, let nested):
            "addnested(\(path.joined(separator: "/")),\(nested.map(\.text).joined(separator: ",")))"
        case .join(let isOuter, let path, let alias, let inner):
            "\(isOuter ? "outerjoin" : "join")(\(path.joined(separator: "/")) as \(alias)\(Transformation.following(inner)))"
        case .nest(let nested): "nest(\(nested.map(\.text).joined(separator: ",")))"
        case .hierarchy(let name, let arguments): "\(name)(\(arguments))"
        case .function(let name, let arguments): name + ExpressionPrinter.text(arguments)
        }
    }

    private static func following(_ sequence: [Transformation]) -> String {
        sequence.isEmpty ? "" : ",\(text(sequence))"
    }
}

extension Transformation.NestedSequence {
    fileprivate var text: String { "\(Transformation.text(transformations)) as \(name)" }
}

extension GroupingElement {
    fileprivate var text: String {
        switch self {
        case .property(let path): path.joined(separator: "/")
        case .rollup(let startsWithAll, let paths):
            "rollup(\(((startsWithAll ? ["$all"] : []) + paths.map { $0.joined(separator: "/") }).joined(separator: ",")))"
        case .rollupRecursive(let arguments): "rolluprecursive(\(arguments))"
        }
    }
}

extension ExpressionPrinter {
    /// `Amount with sum from Year with max as Total`.
    static func text(_ item: AggregateItem) -> String {
        var text: String
        switch item.source {
        case .expression(let expression): text = print(expression)
        case .custom(let path): text = path.joined(separator: "/")
        case .count(let path): text = (path + ["$count"]).joined(separator: "/")
        }
        if let method = item.method { text += " with \(self.text(method))" }
        for step in item.from {
            text += " from \(step.property.joined(separator: "/"))"
            if let method = step.method { text += " with \(self.text(method))" }
        }
        if let alias = item.alias { text += " as \(alias)" }
        return text
    }

    /// The value of `$compute`.
    static func text(_ items: [ComputeItem]) -> String {
        items.map { "\(print($0.expression)) as \($0.name)" }.joined(separator: ",")
    }

    private static func text(_ method: AggregateMethod) -> String {
        switch method {
        case .sum: "sum"
        case .min: "min"
        case .max: "max"
        case .average: "average"
        case .countDistinct: "countdistinct"
        case .custom(let name): name
        }
    }
}

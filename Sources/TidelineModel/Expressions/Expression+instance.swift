// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// The expression for a request whose `$it` is another: the names of single-valued navigation properties lead from
    /// that one to what `$it` means here.
    ///
    ///     Quantity gt $it/Limit     by ["Order", "Client"]     Quantity gt $it/Order/Client/Limit
    public func asked(of way: [String]) -> Expression {
        func lead(_ names: [String]) -> [String] {
            names.first == "$it" ? ["$it"] + way + names.dropFirst() : names
        }
        return switch self {
        case .literal, .me, .enumeration: self
        case .path(let names): .path(lead(names))
        case .general(let segments): .general(PathSegment.asked(segments, of: way))
        case .unary(let sign, let operand): .unary(sign, operand.asked(of: way))
        case .binary(let sign, let left, let right): .binary(sign, left.asked(of: way), right.asked(of: way))
        case .call(let function, let arguments): .call(function, arguments.map { $0.asked(of: way) })
        case .isIn(let item, let list): .isIn(item.asked(of: way), list.map { $0.asked(of: way) })
        case .isInUser(let item, let attribute): .isInUser(item.asked(of: way), attribute: attribute)
        case .isInCollection(let item, let items): .isInCollection(item.asked(of: way), items.asked(of: way))
        case .lambda(let quantifier, let path, let variable, let body):
            .lambda(quantifier, over: lead(path), variable: variable, body?.asked(of: way))
        case .count(let path, let filter, let search):
            .count(of: lead(path), filter: filter?.asked(of: way), search: search)
        case .cast(let operand, let type): .cast(operand?.asked(of: way), type: type)
        case .isOf(let operand, let type): .isOf(operand?.asked(of: way), type: type)
        case .conditional(let branches):
            .conditional(
                branches.map { Branch(condition: $0.condition.asked(of: way), value: $0.value.asked(of: way)) }
            )
        case .list(let items): .list(items.map { $0.asked(of: way) })
        case .object(let members):
            .object(members.map { Member(name: $0.name, value: $0.value.asked(of: way)) })
        case .aggregate(let path, let items): .aggregate(over: lead(path), items.map { $0.asked(of: way) })
        }
    }
}

extension PathSegment {
    fileprivate static func asked(_ segments: [PathSegment], of way: [String]) -> [PathSegment] {
        let inner = segments.map { $0.asked(of: way) }
        guard inner.first == .name("$it") else { return inner }
        return [.name("$it")] + way.map(PathSegment.name) + inner.dropFirst()
    }

    private func asked(of way: [String]) -> PathSegment {
        func asked(_ arguments: [PathArgument]) -> [PathArgument] {
            arguments.map { PathArgument(name: $0.name, value: $0.value.asked(of: way)) }
        }
        return switch self {
        case .root, .name, .cast, .annotation, .ordinal, .alias: self
        case .key(let arguments): .key(asked(arguments))
        case .function(let name, let arguments): .function(name, asked(arguments))
        case .filter(let condition): .filter(condition.asked(of: way))
        case .lambda(let quantifier, let variable, let body):
            .lambda(quantifier, variable: variable, body?.asked(of: way))
        case .count(let filter, let search): .count(filter: filter?.asked(of: way), search: search)
        case .aggregate(let items): .aggregate(items.map { $0.asked(of: way) })
        }
    }
}

extension AggregateItem {
    /// The names in it are those of the items; only an expression can hold `$it`.
    fileprivate func asked(of way: [String]) -> AggregateItem {
        guard case .expression(let expression) = source else { return self }
        var item = self
        item.source = .expression(expression.asked(of: way))
        return item
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The parts of an expression and the scopes that they stand in: the one place that knows them all.
extension TypedExpression {
    /// The expressions directly inside this one, with whether each stands one scope deeper.
    package var parts: [(expression: TypedExpression, isDeeper: Bool)] {
        switch node {
        case .literal, .path, .me, .item: []
        case .unary(_, let inner), .promote(let inner), .cast(let inner), .isInUser(let inner, _),
            .member(let inner, _), .element(let inner, _):
            [(inner, false)]
        case .binary(_, let left, let right), .isSame(let left, let right): [(left, false), (right, false)]
        case .call(_, let arguments), .list(let arguments), .found(_, let arguments): arguments.map { ($0, false) }
        case .isIn(let item, let list): ([item] + list).map { ($0, false) }
        case .invoke(let call): call.parts.map { ($0, false) }
        case .isResult(let call, let key): (call.parts + key).map { ($0, false) }
        case .conditional(let branches): branches.flatMap { [($0.condition, false), ($0.value, false)] }
        case .lambda(_, let items, let body), .count(let items, let body):
            items.parts + (body.map { [($0, true)] } ?? [])
        case .fold(_, let items, let body, let value): items.parts + (body.map { [($0, true)] } ?? []) + [(value, true)]
        }
    }

    /// The same expression with each part changed; the closure is told which stand one scope deeper.
    ///
    /// Paths and ways are left as they are: they are for the caller, who knows the scopes.
    package func mappingParts(_ change: (TypedExpression, _ isDeeper: Bool) -> TypedExpression) -> TypedExpression {
        var copy = self
        switch node {
        case .literal, .path, .me, .item: break
        case .unary(let sign, let inner): copy.node = .unary(sign, change(inner, false))
        case .promote(let inner): copy.node = .promote(change(inner, false))
        case .cast(let inner): copy.node = .cast(change(inner, false))
        case .isInUser(let inner, let attribute): copy.node = .isInUser(change(inner, false), attribute: attribute)
        case .member(let inner, let names): copy.node = .member(change(inner, false), names)
        case .element(let inner, let place): copy.node = .element(change(inner, false), place)
        case .binary(let sign, let left, let right):
            copy.node = .binary(sign, change(left, false), change(right, false))
        case .isSame(let left, let right): copy.node = .isSame(change(left, false), change(right, false))
        case .fold(let folding, let items, let body, let value):
            copy.node = .fold(folding, items.mapping(change), where: body.map { change($0, true) }, change(value, true))
        case .call(let function, let arguments): copy.node = .call(function, arguments.map { change($0, false) })
        case .list(let items): copy.node = .list(items.map { change($0, false) })
        case .found(let words, let texts): copy.node = .found(words, in: texts.map { change($0, false) })
        case .isIn(let item, let list): copy.node = .isIn(change(item, false), list.map { change($0, false) })
        case .invoke(let call): copy.node = .invoke(call.mapping { change($0, false) })
        case .isResult(let call, let key):
            copy.node = .isResult(call.mapping { change($0, false) }, key.map { change($0, false) })
        case .conditional(let branches):
            copy.node = .conditional(
                branches.map { Branch(condition: change($0.condition, false), value: change($0.value, false)) }
            )
        case .lambda(let quantifier, let items, let body):
            copy.node = .lambda(quantifier, items.mapping(change), body.map { change($0, true) })
        case .count(let items, let body):
            copy.node = .count(items.mapping(change), body.map { change($0, true) })
        }
        return copy
    }

    /// The same expression for a place that stands `count` scopes deeper.
    package func deeper(by count: Int = 1, below depth: Int = 0) -> TypedExpression {
        guard count != 0 else { return self }
        var copy = mappingParts { part, isDeeper in part.deeper(by: count, below: isDeeper ? depth + 1 : depth) }
        switch copy.node {
        case .path(var path) where path.up >= depth:
            path.up += count
            copy.node = .path(path)
        case .item(let up) where up >= depth: copy.node = .item(up: up + count)
        case .lambda(let quantifier, .entities(var way), let body) where way.up >= depth:
            way.up += count
            copy.node = .lambda(quantifier, .entities(way), body)
        case .count(.entities(var way), let body) where way.up >= depth:
            way.up += count
            copy.node = .count(.entities(way), body)
        case .fold(let folding, .entities(var way), let body, let value) where way.up >= depth:
            way.up += count
            copy.node = .fold(folding, .entities(way), where: body, value)
        case .literal, .path, .me, .item, .unary, .promote, .cast, .isInUser, .member, .element, .binary, .call, .list,
            .isIn, .conditional, .lambda, .count, .found, .fold, .isSame, .invoke, .isResult:
            break
        }
        return copy
    }
}

extension TypedExpression.Items {
    var parts: [(expression: TypedExpression, isDeeper: Bool)] {
        switch self {
        case .entities, .set: []
        case .values(let array): [(array, false)]
        }
    }

    func mapping(_ change: (TypedExpression, _ isDeeper: Bool) -> TypedExpression) -> Self {
        switch self {
        case .entities, .set: self
        case .values(let array): .values(change(array, false))
        }
    }
}

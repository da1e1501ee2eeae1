// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ExpressionChecker {
    /// A collection that a path leads to.
    struct Collection {
        var items: TypedExpression.Items
        /// What the items are.
        var content: Context.Content
        /// A condition on the place that the path starts from: a cast.
        var startGuard: TypedExpression?
        /// A condition on the items: those for which it is not true are not there.
        var test: TypedExpression?
        /// The path, for errors.
        var names: [String] = []
    }

    /// The collection at a path of names.
    func collection(_ names: [String], _ context: Context) throws(ExpressionError) -> Collection {
        switch try resolve(names, context) {
        case .entities(let cursor): return collection(cursor, names)
        case .value(let value): return try collection(value, names)
        case .entity, .group: throw invalidPath(names, "it leads to no collection")
        }
    }

    func collection(_ cursor: Cursor, _ names: [String]) -> Collection {
        Collection(
            items: .entities(cursor.way),
            content: .entity(cursor.set, type: cursor.type),
            startGuard: cursor.startGuard?.deeper(by: cursor.up),
            names: names
        )
    }

    func collection(_ value: TypedExpression, _ names: [String]) throws(ExpressionError) -> Collection {
        guard case .collection(let element, _)? = value.structure else {
            throw invalidPath(names, "it leads to no collection")
        }
        return Collection(items: .values(value), content: .item(element), names: names)
    }

    /// `any` and `all`.
    func lambda(
        _ quantifier: Expression.Quantifier,
        _ collection: Collection,
        _ variable: String?,
        _ body: Expression?,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        var condition: TypedExpression?
        if let body {
            let inner = context.entering(collection.content, variable: variable)
            condition = try self.condition(check(body, inner), of: quantifier.rawValue)
        } else if quantifier == .all {
            throw ExpressionError(.argumentCount, message: "'all' needs a condition.", target: "all")
        }
        if let test = collection.test {
            switch quantifier {
            case .any: condition = condition.map { test.joined($0) } ?? test
            case .all: condition = condition.map { test.isNotTrue.alternative($0) }
            }
        }
        let node = TypedExpression.Node.lambda(quantifier, collection.items, condition)
        let result = TypedExpression(node: node, type: .boolean)
        guard let startGuard = collection.startGuard else { return result }
        // The collection of an entity of another type is empty.
        if quantifier == .any { return startGuard.joined(result) }
        return TypedExpression(node: .unary(.not, startGuard), type: .boolean).alternative(result)
    }

    /// `Items/$count`, with a filter.
    func count(
        _ collection: Collection,
        _ filter: Expression?,
        _ search: SearchExpression?,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        var condition = collection.test
        if let filter {
            let inner = context.entering(collection.content, variable: nil)
            let test = try self.condition(check(filter, inner), of: "$filter")
            condition = condition?.joined(test) ?? test
        }
        if let search {
            guard case .entity(let set, _) = collection.content, !set.type.searchProperties.isEmpty else {
                throw ExpressionError(
                    .unsupported,
                    message: "\(collection.names.joined(separator: "/")) cannot be searched.",
                    target: collection.names.joined(separator: "/")
                )
            }
            let found = ExpressionChecker.condition(for: search, over: set.type)
            condition = condition?.joined(found) ?? found
        }
        let result = TypedExpression(node: .count(collection.items, condition), type: .int64)
        guard let startGuard = collection.startGuard else { return result }
        let none = TypedExpression.literal(.integer(0), .int64)
        let node = TypedExpression.Node.conditional([
            .init(condition: startGuard, value: result),
            .init(condition: .literal(.boolean(true), .boolean), value: none),
        ])
        return TypedExpression(node: node, type: .int64)
    }

    /// What an entity must satisfy to be found: each word is in one of the properties that are searched, in any case.
    ///
    /// Where ``EntityType/searchesWords`` is set, whole words count; else what is contained.
    package static func condition(for search: SearchExpression, over type: EntityType) -> TypedExpression {
        switch search {
        case .not(let inner):
            // A row without any text has not got the word either.
            return condition(for: inner, over: type).isNotTrue
        case .and(let left, let right):
            return condition(for: left, over: type).joined(condition(for: right, over: type))
        case .or(let left, let right):
            let (left, right) = (condition(for: left, over: type), condition(for: right, over: type))
            return TypedExpression(node: .binary(.or, left, right), type: .boolean)
        case .word(let text) where type.searchesWords, .phrase(let text) where type.searchesWords:
            let words = SearchWords.words(text)
            // What has no letter and no digit is nowhere.
            guard !words.isEmpty else { return .literal(.boolean(false), .boolean) }
            let texts = type.searchProperties.map {
                TypedExpression(node: .path(.init(property: $0)), type: .string)
            }
            return TypedExpression(node: .found(words, in: texts), type: .boolean)
        case .word(let text), .phrase(let text):
            let needle = TypedExpression.literal(.string(TextFunctions.lower(text)), .string)
            var result: TypedExpression?
            for place in type.searchProperties {
                let path = TypedExpression(node: .path(.init(property: place)), type: .string)
                let lower = TypedExpression(node: .call(.tolower, [path]), type: .string)
                let test = TypedExpression(node: .call(.contains, [lower, needle]), type: .boolean)
                result =
                    result.map { TypedExpression(node: .binary(.or, $0, test), type: .boolean) } ?? test
            }
            return result ?? .literal(.boolean(false), .boolean)
        }
    }

    /// `item in Tags`.
    func membership(
        _ item: TypedExpression,
        in collection: Expression,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        if case .list(let entries) = collection {
            return try membership(item, checked(entries, context))
        }
        let array = try check(collection, context)
        guard case .collection(let element, _)? = array.structure else {
            throw ExpressionError(.wrongType, message: "'in' needs a list or a collection of values.", target: "in")
        }
        var entry = TypedExpression(node: .item(up: 0), type: nil)
        switch element {
        case .primitive(let type): entry.type = type
        case .enumeration(let name): (entry.type, entry.enumeration) = (.string, name)
        case .complex:
            throw ExpressionError(.unsupported, message: "'in' does not compare complex values.", target: "in")
        }
        let body = try binary(.equal, item.deeper(), entry)
        return TypedExpression(node: .lambda(.any, .values(array), body), type: .boolean)
    }

    /// A JSON array of constants.
    func list(_ items: [TypedExpression]) throws(ExpressionError) -> TypedExpression {
        var type: PrimitiveType?
        for item in items {
            guard let constant = item.constant else {
                throw ExpressionError(.unsupported, message: "A list here holds constants only.")
            }
            guard constant != .null else { continue }
            guard let known = type, let next = item.type, known != next else {
                type = item.type
                continue
            }
            guard known.isNumeric, next.isNumeric else {
                throw ExpressionError(.wrongType, message: "The values of a list are of one type.")
            }
            type = ExpressionChecker.common(known, next)
        }
        let element = type ?? .string
        return TypedExpression(
            node: .list(items.map { $0.promoted(to: element) }),
            type: .string,
            structure: .collection(of: .primitive(element), itemsNullable: true)
        )
    }

    func unsupported(_ what: String) -> ExpressionError {
        ExpressionError(.unsupported, message: "Expressions do not support \(what) here.")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Paths with more than names: keys, ordinals, filters, annotations, calls, and those from the service root.
///
///     Lines(1)/Price      $root/Products(Sku='x')/Price      Items/$filter(Price gt 1)/$count      Tags/0
///
/// Source: OData URL Conventions 4.01, sections 5.1.1.11 to 5.1.1.15.
extension ExpressionChecker {
    /// The variable that stands for an entity of a key: bare names mean the instance outside.
    static let entityVariable = "$entity"
    /// What stands after the path of an entity that is only asked whether it is there.
    static let presenceName = "$key"
    static let presence = PathSegment.name(presenceName)

    func addressed(
        _ segments: some RandomAccessCollection<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let segments = Array(segments)
        if segments.first == .root { return try rooted(segments.dropFirst(), context) }
        var names: [String] = []
        for (place, segment) in segments.enumerated() {
            let rest = segments[place...]
            switch segment {
            case .name(let name):
                if !names.isEmpty, segment != Self.presence, case .entities(let cursor)? = try? resolve(names, context)
                {
                    return try value(in: collection(cursor, names), keySegment: name, rest.dropFirst(), context)
                }
                names.append(name)
            case .cast(let name): names.append(name)
            case .function(let name, let arguments):
                // Without a table of names a key with names looks like a call.
                if !arguments.isEmpty, case .entities? = try? resolve(names + [name], context) {
                    let keyed: [PathSegment] = [.name(name), .key(arguments)]
                    return try addressed(Array(segments[..<place]) + keyed + Array(rest.dropFirst()), context)
                }
                return try called(name, arguments, after: names, rest.dropFirst(), context)
            case .alias(let name): throw unsupported("the alias @\(name) of outer options")
            case .annotation where names.isEmpty: return .literal(.null, nil)
            case .root: throw unsupported("$root inside a path")
            case .key, .annotation, .filter, .lambda, .count, .aggregate, .ordinal:
                guard !names.isEmpty else { throw unsupported("such a path") }
                switch try resolve(names, context) {
                case .entities(let cursor): return try value(in: collection(cursor, names), rest, context)
                case .value(let value): return try inside(value, rest, names, context)
                case .entity, .group:
                    if case .annotation = segment { return .literal(.null, nil) }
                    throw invalidPath(names, "it leads to no collection")
                }
            }
        }
        return try value(of: names, context)
    }

    /// The value at a path of names, of which one may be a key that stands as a segment of its own.
    func value(of names: [String], orKeyIn context: Context) throws(ExpressionError) -> TypedExpression {
        do throws(ExpressionError) {
            return try value(of: names, context)
        } catch {
            guard error.code == .invalidPath, names.count > 2 else { throw error }
            let segments = names.map { $0.contains(".") ? PathSegment.cast($0) : .name($0) }
            guard let value = try? addressed(segments, context) else { throw error }
            return value
        }
    }

    /// A path from the service root.
    private func rooted(
        _ segments: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let name: String
        var rest = segments.dropFirst()
        switch segments.first {
        case .name(let text)?: name = text
        case .function(let text, let arguments)? where !arguments.isEmpty && model[named: text] != nil:
            name = text
            rest = [.key(arguments)] + rest
        case .function(let text, let arguments)?:
            return try called(text, arguments, on: .nothing(isImport: true), rest, context)
        default: throw unsupported("this path from $root")
        }
        if let singleton = model[singleton: name], let set = model[set: singleton.set] {
            guard let key = singleton.key else { throw unsupported("the singleton \(name) in a path from $root") }
            let arguments = zip(set.type.key, key.values).map { place, value in
                PathArgument(name: set.type.properties[place].names.wire, value: .literal(value))
            }
            rest = [.key(arguments)] + rest
            return try value(in: collection(of: set), rest, context)
        }
        guard let set = model[named: name], !set.isContained else {
            throw ExpressionError(.unknownProperty, message: "There is no entity set \(name).", target: name)
        }
        return try value(in: collection(of: set), rest, context)
    }

    private func collection(of set: EntitySet) -> Collection {
        Collection(
            items: .set(set.names.wire, guard: nil),
            content: .entity(set, type: nil),
            names: ["$root", set.names.wire]
        )
    }

    // MARK: - Collections

    /// What the rest of a path makes of a collection.
    func value(
        in collection: Collection,
        _ rest: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard let segment = rest.first else { throw unsupported("a collection as a value") }
        let after = rest.dropFirst()
        var collection = collection
        switch segment {
        case .filter(let condition):
            let inner = context.entering(collection.content, variable: nil)
            let test = try self.condition(check(condition, inner), of: "$filter")
            collection.test = collection.test?.joined(test) ?? test
            return try value(in: collection, after, context)
        case .lambda(let quantifier, let variable, let body) where after.isEmpty:
            return try lambda(quantifier, collection, variable, body, context)
        case .count(let filter, let search) where after.isEmpty:
            return try count(collection, filter, search, context)
        case .aggregate(let items) where after.isEmpty: return try aggregate(collection, items, context)
        case .key(let arguments): return try value(in: collection, key: arguments, after, context)
        case .ordinal(let number):
            guard case .entity = collection.content, collection.test == nil, number >= 0 else {
                throw unsupported("an ordinal after this collection")
            }
            return try value(
                in: collection,
                key: [PathArgument(name: nil, value: .literal(.integer(number)))],
                after,
                context
            )
        case .name(let name): return try value(in: collection, keySegment: name, after, context)
        case .cast(let name):
            guard case .entity(let set, _) = collection.content else { throw unsupported("a cast of these items") }
            let type = try entityType(name, of: set, name)
            collection.content = .entity(set, type: type)
            if let test = typeTest(type, of: set) { collection.test = collection.test?.joined(test) ?? test }
            return try value(in: collection, after, context)
        case .annotation: return .literal(.null, nil)
        case .function(let name, let arguments):
            return try called(name, arguments, on: .collection(collection), after, context)
        case .root, .alias, .lambda, .count, .aggregate: throw unsupported("a collection inside a path")
        }
    }

    /// A value of the entity whose key, of one property, stands as a segment of its own.
    ///
    /// Source: OData URL Conventions 4.01, section 4.3.6.
    private func value(
        in collection: Collection,
        keySegment text: String,
        _ rest: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let wrong = invalidPath(collection.names + [text], "'\(text)' follows a collection")
        guard case .entity(let set, _) = collection.content, set.type.key.count == 1, !rest.isEmpty else { throw wrong }
        guard set.type.properties[set.type.key[0]].type == .string else { throw wrong }
        return try value(
            in: collection,
            key: [PathArgument(name: nil, value: .literal(.string(text)))],
            rest,
            context
        )
    }

    /// A value of the one entity of a collection that has a key.
    private func value(
        in collection: Collection,
        key arguments: [PathArgument],
        _ rest: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard case .entity(let set, let type) = collection.content else {
            throw invalidPath(collection.names, "its items have no key")
        }
        guard !rest.isEmpty else { throw unsupported("an entity as a value") }
        var test = try keyTest(arguments, of: set, context)
        if let more = collection.test { test = test.joined(more) }
        return guarded(
            try value(of: rest, in: collection.items, where: test, (set, type), context),
            collection.startGuard
        )
    }

    /// A value of the only entity of some that meets a condition; null without one.
    func value(
        of rest: ArraySlice<PathSegment>,
        in items: TypedExpression.Items,
        where test: TypedExpression?,
        _ target: (set: EntitySet, type: String?),
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let inner = context.entering(.entity(target.set, type: target.type), variable: Self.entityVariable)
        let value = try check(.general([.name(Self.entityVariable)] + rest), inner)
        if value.isNull { return value }
        var result = TypedExpression(node: .fold(.only, items, where: test, value), type: value.type)
        result.enumeration = value.enumeration
        result.structure = value.structure
        return result
    }

    /// The condition on an entity that it has a key, the primary or an alternate one; the values are of the place outside.
    private func keyTest(
        _ arguments: [PathArgument],
        of set: EntitySet,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let type = set.type
        let wrong = ExpressionError(
            .invalidLiteral,
            message: "This is no key of \(set.names.wire).",
            target: set.names.wire
        )
        let names = arguments.compactMap(\.name)
        var places = type.key
        if names.count == arguments.count {
            let keys = [type.key] + type.uniqueKeys
            guard
                let key = keys.first(where: { key in
                    key.count == names.count && Set(key.map { type.properties[$0].names.wire }) == Set(names)
                })
            else { throw wrong }
            places = key
        } else {
            guard arguments.count == 1, places.count == 1 else { throw wrong }
        }
        var test: TypedExpression?
        for place in places {
            let property = type.properties[place]
            guard
                let argument = arguments.first(where: { $0.name.map { $0 == property.names.wire } ?? true })
            else { throw wrong }
            let path = TypedExpression(
                node: .path(.init(property: place)),
                type: property.type,
                enumeration: property.enumeration
            )
            var equality = try binary(.equal, path, check(argument.value, context).deeper(by: 1))
            if property.isNullable {
                // No key is null, whatever it is compared with.
                let isThere = TypedExpression(node: .binary(.notEqual, path, .literal(.null, nil)), type: .boolean)
                equality = equality.joined(isThere)
            }
            test = test?.joined(equality) ?? equality
        }
        guard let test else { throw wrong }
        return test
    }

    // MARK: - Values

    /// What the rest of a path makes of a value: a member or an item of JSON, a question about its items.
    func inside(
        _ value: TypedExpression,
        _ rest: ArraySlice<PathSegment>,
        _ names: [String],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard let segment = rest.first else { return value }
        let after = rest.dropFirst()
        switch segment {
        case .name(let name), .cast(let name):
            return try inside(member([name], of: value, names), after, names + [name], context)
        case .ordinal(let number):
            guard case .collection(let element, _)? = value.structure, let place = Int(exactly: number) else {
                throw invalidPath(names, "it leads to no collection")
            }
            var item = TypedExpression(node: .element(value, place), type: nil)
            switch element {
            case .primitive(let type): item.type = type
            case .enumeration(let name): (item.type, item.enumeration) = (.string, name)
            case .complex(let name): (item.type, item.structure) = (.string, .complex(name))
            }
            return try inside(item, after, names + ["\(number)"], context)
        case .annotation: return .literal(.null, nil)
        case .filter, .lambda, .count, .aggregate:
            return try self.value(in: collection(value, names), rest, context)
        case .key: throw invalidPath(names, "its items have no key")
        case .root, .function, .alias: throw unsupported("such a path")
        }
    }
}

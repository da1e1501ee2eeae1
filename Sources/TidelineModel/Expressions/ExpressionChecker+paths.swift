// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ExpressionChecker {
    /// What a path of names leads to.
    enum Target {
        /// A value; a collection of values has a `structure` that says so.
        case value(TypedExpression)
        /// One entity.
        case entity(Cursor)
        /// Many entities.
        case entities(Cursor)
        /// A complex property over a group of columns.
        case group(Cursor, Int)
    }

    /// A path on its way: the entity reached so far.
    struct Cursor {
        var up: Int
        var navigations: [Int] = []
        var guards: [TypedExpression?] = []
        private(set) var shared: SharedSet
        /// The derived type that the entity was cast to.
        var type: String?
        /// The complex property over columns that the path is in.
        var container: Int?
        var isCollection = false
        /// A condition on the entity that the path starts from: a cast.
        var startGuard: TypedExpression?

        init(up: Int, shared: SharedSet, type: String?) {
            self.up = up
            self.shared = shared
            self.type = type
        }

        init(up: Int, set: EntitySet, type: String?) {
            self.init(up: up, shared: SharedSet(set), type: type)
        }

        /// The set of the entity.
        var set: EntitySet {
            get { shared.set }
            set { shared = SharedSet(newValue) }
        }

        /// The path to a property of the entity.
        func path(to property: Int) -> TypedExpression.Path {
            TypedExpression.Path(
                navigations: navigations,
                property: property,
                guards: guards.contains { $0 != nil } ? guards : [],
                up: up
            )
        }

        /// The way to the entities.
        var way: TypedExpression.Way {
            TypedExpression.Way(
                navigations: navigations,
                guards: guards.contains { $0 != nil } ? guards : [],
                up: up
            )
        }

        /// A value of the entity; null where it is not of the type that it was cast to.
        func guarded(_ value: TypedExpression) -> TypedExpression {
            guard let startGuard else { return value }
            var result = value
            result.node = .conditional([.init(condition: startGuard.deeper(by: up), value: value)])
            return result
        }

        mutating func addGuard(_ condition: TypedExpression) {
            if navigations.isEmpty {
                startGuard = startGuard?.joined(condition) ?? condition
            } else {
                guards[guards.count - 1] = guards[guards.count - 1]?.joined(condition) ?? condition
            }
        }
    }

    /// The value at a path.
    func value(of names: [String], _ context: Context) throws(ExpressionError) -> TypedExpression {
        switch try resolve(names, context) {
        case .value(let value): return value
        case .entity: throw invalidPath(names, "it ends at an entity and not at a property")
        case .entities: throw invalidPath(names, "it leads to a collection")
        case .group: throw invalidPath(names, "it ends at a complex property and not at a value")
        }
    }

    /// What a path leads to.
    func resolve(_ names: [String], _ context: Context) throws(ExpressionError) -> Target {
        guard let first = names.first else { throw invalidPath(names, "it is empty") }
        var rest = names[...]
        let place: Int
        if let known = context.scopes.indices.last(where: { context.scopes[$0].variable == first }) {
            place = known
            rest.removeFirst()
        } else if first == "$it" || first == "$this" {
            place = first == "$it" ? 0 : context.scopes.count - 1
            rest.removeFirst()
        } else {
            place = context.scopes.indices.last { context.scopes[$0].variable == nil } ?? 0
            if place == 1, !computedMembers.isEmpty, case .item = context.scopes[1].place,
                let value = computedMembers[names.joined(separator: "/")]
            {
                return .value(value.deeper(by: context.scopes.count - 2))
            }
            if place == 0, !computed.isEmpty, let value = computed[names.joined(separator: "/")] {
                return .value(value.deeper(by: context.scopes.count - 1))
            }
        }
        let up = context.scopes.count - 1 - place
        switch context.scopes[place].place {
        case .item(let element):
            return .value(try member(rest, of: TypedExpression(node: .item(up: up), type: nil), element, names))
        case .entity(let shared, let type):
            // What most paths are: a property of the entity itself.
            if names.count == 1, rest.count == 1, let value = shared.value(of: first, up: up) { return .value(value) }
            var cursor = Cursor(up: up, shared: shared, type: type)
            if first == "$it", instance != [] { try stepToInstance(&cursor, names) }
            return try follow(rest, from: cursor, names, context)
        }
    }

    private func follow(
        _ rest: ArraySlice<String>,
        from start: Cursor,
        _ names: [String],
        _ context: Context
    ) throws(ExpressionError) -> Target {
        var cursor = start
        for place in rest.indices {
            let name = rest[place]
            let isQualified = name.utf8.contains(UInt8(ascii: "."))
            guard !cursor.isCollection || isQualified else {
                throw invalidPath(names, "'\(rest[place - 1])' leads to a collection")
            }
            if !isQualified, let property = cursor.shared.set.type.propertyIndex(wire: name, in: cursor.container) {
                return .value(try value(of: property, cursor, rest[(place + 1)...], names))
            }
            let type = cursor.set.type
            if name == Self.presenceName, cursor.container == nil, let key = type.key.first {
                let path = TypedExpression(node: .path(cursor.path(to: key)), type: type.properties[key].type)
                return .value(cursor.guarded(path))
            } else if isQualified {
                try cast(&cursor, to: name, names)
            } else if let complex = type.complexProperties.firstIndex(where: {
                $0.parent == cursor.container && $0.names.wire == name
            }) {
                cursor.container = complex
            } else if cursor.container == nil, let navigation = type.navigationIndex(wire: name) {
                try step(&cursor, navigation, names)
            } else if cursor.container == nil, let made = type.calculatedIndex(wire: name) {
                guard place == rest.endIndex - 1 else { throw invalidPath(names, "nothing can follow '\(name)'") }
                return .value(try calculated(made, at: cursor, names, context))
            } else if cursor.container == nil, let bag = type.dynamicProperty {
                let base = TypedExpression(
                    node: .path(cursor.path(to: bag)),
                    type: .string,
                    structure: .dynamic
                )
                return .value(cursor.guarded(TypedExpression(node: .member(base, Array(rest[place...])), type: nil)))
            } else {
                throw ExpressionError(
                    .unknownProperty,
                    message: "'\(cursor.type ?? type.names.wire)' has no property '\(name)'.",
                    target: names.joined(separator: "/")
                )
            }
        }
        if let container = cursor.container { return .group(cursor, container) }
        return cursor.isCollection ? .entities(cursor) : .entity(cursor)
    }

    /// The way to what `$it` means.
    private func stepToInstance(_ cursor: inout Cursor, _ names: [String]) throws(ExpressionError) {
        guard let instance else {
            throw unsupported("$it inside of $expand, where no single-valued navigation property leads back to it,")
        }
        for place in instance { try step(&cursor, place, names) }
    }

    private func step(_ cursor: inout Cursor, _ place: Int, _ names: [String]) throws(ExpressionError) {
        let navigation = cursor.set.type.navigationProperties[place]
        try require(navigation.declaringType, of: navigation.names.wire, cursor, names)
        guard let target = model[set: navigation.targetSet] else {
            throw invalidPath(names, "'\(navigation.names.wire)' leads nowhere")
        }
        cursor.navigations.append(place)
        cursor.guards.append(nil)
        cursor.set = target
        cursor.type = nil
        cursor.isCollection = navigation.isCollection
    }

    /// What a derived type declares can be used after a cast to it.
    private func require(
        _ declaringType: String?,
        of name: String,
        _ cursor: Cursor,
        _ names: [String]
    ) throws(ExpressionError) {
        guard let declaringType else { return }
        var type = cursor.type
        while let current = type {
            if current == declaringType { return }
            type = cursor.set.type.derivedTypes.first { $0.names.wire == current }?.baseType
        }
        throw invalidPath(
            names,
            "'\(name)' is of the derived type \(model.namespace).\(declaringType); cast to it first"
        )
    }

    private func value(
        of place: Int,
        _ cursor: Cursor,
        _ rest: ArraySlice<String>,
        _ names: [String]
    ) throws(ExpressionError) -> TypedExpression {
        let properties = cursor.shared.set.type.properties
        try require(properties[place].declaringType, of: properties[place].names.wire, cursor, names)
        guard properties[place].stream == nil else {
            throw invalidPath(names, "'\(properties[place].names.wire)' is a stream")
        }
        var value = TypedExpression(
            node: .path(cursor.path(to: place)),
            type: properties[place].type,
            enumeration: properties[place].enumeration,
            structure: properties[place].structure
        )
        if !rest.isEmpty {
            switch properties[place].structure {
            case .complex(let type): value = try member(rest, of: value, .complex(type), names)
            case .dynamic: value = TypedExpression(node: .member(value, Array(rest)), type: nil)
            case .collection, nil:
                throw invalidPath(
                    names,
                    "'\(properties[place].names.wire)' is no navigation property, so nothing can follow it"
                )
            }
        }
        return cursor.guarded(value)
    }

    func invalidPath(_ names: [String], _ why: String) -> ExpressionError {
        let path = names.joined(separator: "/")
        return ExpressionError(.invalidPath, message: "The path '\(path)' cannot be used here: \(why).", target: path)
    }
}

extension TypedExpression {
    /// Both conditions.
    func joined(_ other: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.and, self, other), type: .boolean)
    }

    /// One of two conditions.
    func alternative(_ other: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.or, self, other), type: .boolean)
    }

    /// Whether a condition is false or null.
    var isNotTrue: TypedExpression {
        let isTrue = TypedExpression(node: .binary(.equal, self, .literal(.boolean(true), .boolean)), type: .boolean)
        return TypedExpression(node: .unary(.not, isTrue), type: .boolean)
    }
}

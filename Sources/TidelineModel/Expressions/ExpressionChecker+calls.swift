// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Calls of functions of the model inside expressions.
///
///     Shop.Discount(percent=10) gt 3        Client/Shop.Rating() eq 5        $root/Top(count=3)/any(p:p/Id eq Id)
///
/// A call is a part of the database's statement, so that a function whose body is code of the program is none here.
/// Source: OData URL Conventions 4.01, section 5.1.1.12; OData ABNF construction rules 4.01, `functionExpr`.
extension ExpressionChecker {
    /// What a function is called on.
    enum Binding {
        /// Nothing, by the name of the function or of its import.
        case nothing(isImport: Bool)
        case entity(Cursor)
        case collection(Collection)
    }

    /// A call after a path of names: on what that leads to, or on the entity at hand, or on nothing.
    func called(
        _ name: String,
        _ arguments: [PathArgument],
        after names: [String],
        _ rest: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        if !names.isEmpty {
            switch try resolve(names, context) {
            case .entity(let cursor): return try called(name, arguments, on: .entity(cursor), rest, context)
            case .entities(let cursor):
                return try called(name, arguments, on: .collection(collection(cursor, names)), rest, context)
            case .value, .group: throw invalidPath(names + [name], "functions are called on entities")
            }
        }
        let plain = local(name) ?? name
        let isBound = model.operations.contains { $0.names.wire == plain && $0.binding?.isCollection == false }
        if isBound, case .entity(let cursor)? = try? resolve(["$this"], context),
            !overloads(plain, on: .entity(cursor)).isEmpty
        {
            return try called(name, arguments, on: .entity(cursor), rest, context)
        }
        return try called(name, arguments, on: .nothing(isImport: false), rest, context)
    }

    private func overloads(_ name: String, on binding: Binding) -> [EdmOperation] {
        switch binding {
        case .nothing(isImport: true): model.operations(imported: name)
        case .nothing(isImport: false): model.operations(named: name).filter { !$0.isBound }
        case .entity(let cursor):
            model.operations(boundTo: cursor.set, derivedType: cursor.type, isCollection: false).filter {
                $0.names.wire == name
            }
        case .collection(let collection):
            if case .entity(let set, let type) = collection.content {
                model.operations(boundTo: set, derivedType: type, isCollection: true).filter { $0.names.wire == name }
            } else {
                []
            }
        }
    }

    func called(
        _ name: String,
        _ arguments: [PathArgument],
        on binding: Binding,
        _ rest: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard let mayCall else { throw unsupported("the function \(name)") }
        let candidates = local(name).map { overloads($0, on: binding).filter { $0.kind == .function } } ?? []
        guard let first = candidates.first else {
            let plain = local(name)
            guard model.operations.contains(where: { $0.names.wire == plain }) else {
                throw unsupported("the function \(name)")
            }
            throw ExpressionError(.unknownProperty, message: "There is no function \(name) here.", target: name)
        }
        try mayCall(first)
        try context.calling(name)
        let given = Set(arguments.compactMap(\.name))
        let fitting = candidates.filter { candidate in
            given.allSatisfy { candidate.parameterIndex(wire: $0) != nil }
                && candidate.parameters.allSatisfy { $0.isOptional || given.contains($0.names.wire) }
        }
        guard given.count == arguments.count,
            let operation = fitting.min(by: { $0.parameters.count < $1.parameters.count })
        else {
            throw ExpressionError(
                .argumentCount,
                message: "No overload of \(name) has these parameters.",
                target: name
            )
        }
        guard operation.body != .handler else {
            throw ExpressionError(
                .unsupported,
                message: "\(name) is code of the program, which no expression can call.",
                target: name
            )
        }
        var call = TypedExpression.Invocation(operation)
        for parameter in operation.parameters {
            guard let argument = arguments.first(where: { $0.name == parameter.names.wire }) else {
                let type = model.property(of: parameter)?.type
                call.arguments.append(parameter.defaultValue.map { TypedExpression.literal($0, type) })
                continue
            }
            call.arguments.append(try value(check(argument.value, context), of: parameter, name))
        }
        if case .routine = operation.body, call.arguments.contains(nil) {
            throw unsupported("a call of \(name) without all of its parameters")
        }
        let presence = try bind(&call, to: binding, name)
        return guarded(try result(of: call, rest, context), presence)
    }

    /// Sets what a function is called on.
    ///
    /// - Returns: the condition that it is there.
    private func bind(
        _ call: inout TypedExpression.Invocation,
        to binding: Binding,
        _ name: String
    ) throws(ExpressionError) -> TypedExpression? {
        switch binding {
        case .nothing: return nil
        case .entity(let cursor):
            var presence = cursor.startGuard?.deeper(by: cursor.up)
            for place in cursor.set.type.key {
                let property = cursor.set.type.properties[place]
                let key = TypedExpression(
                    node: .path(cursor.path(to: place)),
                    type: property.type,
                    enumeration: property.enumeration
                )
                call.key.append(key)
                if !cursor.navigations.isEmpty {
                    let test = TypedExpression(node: .binary(.notEqual, key, .literal(.null, nil)), type: .boolean)
                    presence = presence?.joined(test) ?? test
                }
            }
            return presence
        case .collection(let collection):
            guard call.operation.takesKeys else {
                if case .set(_, nil) = collection.items, collection.test == nil { return nil }
                throw unsupported("\(name) on a part of a set, which it is not made for,")
            }
            guard case .entity(let set, _) = collection.content, set.type.key.count == 1 else {
                throw unsupported("\(name) on entities with a key of several parts")
            }
            let property = set.type.properties[set.type.key[0]]
            guard property.storage == .native, property.enumeration == nil,
                property.type == .string || property.type.integerRange != nil
            else { throw unsupported("\(name) on entities with such a key") }
            let key = TypedExpression(node: .path(.init(property: set.type.key[0])), type: property.type)
            call.keys = TypedExpression(
                node: .fold(.keys, collection.items, where: collection.test, key),
                type: .string
            )
            return collection.startGuard
        }
    }

    // MARK: - Parameters

    /// The value of a parameter, of its type.
    private func value(
        _ argument: TypedExpression,
        of parameter: OperationParameter,
        _ name: String
    ) throws(ExpressionError) -> TypedExpression {
        guard let property = model.property(of: parameter) else { throw unsupported("an entity as a parameter") }
        let target = "\(name)(\(parameter.names.wire))"
        func invalid(_ message: String) -> ExpressionError {
            ExpressionError(.invalidLiteral, message: message, target: target)
        }
        if argument.isNull {
            guard property.isNullable else { throw invalid("\(parameter.names.wire) cannot be null.") }
            return argument.typed(property.type)
        }
        if property.structure != nil {
            guard case .list(let items) = argument.node else {
                guard argument.structure == nil else { throw unsupported("a structure as a parameter") }
                throw ExpressionError(
                    .wrongType,
                    message: "\(parameter.names.wire) is a collection or a complex value.",
                    target: target
                )
            }
            let text = JSONValue.array(items.map { $0.constant.map(JSONValue.init) ?? .null }).text
            return .literal(.string(text), .string)
        }
        let wanted = TypedExpression(
            node: .path(.init(property: 0)),
            type: property.type,
            enumeration: property.enumeration
        )
        let (left, value) = try comparable(wanted, argument, target, isEquality: true)
        guard left == wanted, value.type == property.type || value.type?.integerRange != nil else {
            throw ExpressionError(
                .wrongType,
                message: "\(parameter.names.wire) has the type \(property.type.rawValue).",
                target: target
            )
        }
        if let constant = value.constant {
            do throws(ValueError) {
                return .literal(try property.check(constant), property.type)
            } catch {
                throw invalid(error.message)
            }
        }
        if case .me = value.node { return value }
        // What a computed value is to the SQL of the function: of other types the forms differ between databases.
        guard property.storage == .native, property.enumeration == nil else {
            throw unsupported("a value that is no constant for \(target)")
        }
        switch property.type {
        case .boolean, .byte, .sbyte, .int16, .int32, .int64, .string, .double, .single, .decimal, .date, .guid:
            return value
        default: throw unsupported("a value that is no constant for \(target)")
        }
    }

    // MARK: - Results

    /// What the rest of a path makes of what a function gives.
    private func result(
        of call: TypedExpression.Invocation,
        _ rest: ArraySlice<PathSegment>,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let name = call.operation.names.wire
        guard let type = call.operation.returnType else { throw unsupported("a function without a result") }
        guard rest.isEmpty || call.operation.isComposable else {
            throw ExpressionError(
                .invalidPath,
                message: "Nothing can follow the call of \(name), which is not composable.",
                target: name
            )
        }
        switch type.element {
        case .entity(let wire, let derived):
            guard let set = model[set: wire] else { throw invalidPath([name], "it leads nowhere") }
            let key = set.type.key.map { place in
                TypedExpression(node: .path(.init(property: place)), type: set.type.properties[place].type)
            }
            let inner = call.mapping { $0.deeper() }
            var test = TypedExpression(node: .isResult(inner, key), type: .boolean)
            if let kind = typeTest(derived, of: set) { test = test.joined(kind) }
            let items = TypedExpression.Items.set(set.names.wire, guard: nil)
            guard type.isCollection else {
                guard !rest.isEmpty else { throw unsupported("an entity as a value") }
                return try value(of: rest, in: items, where: test, (set, derived), context)
            }
            var collection = Collection(items: items, content: .entity(set, type: derived), names: [name])
            collection.test = test
            return try value(in: collection, rest, context)
        case .complex:
            guard !type.isCollection, case .name(let member)? = rest.first else {
                throw unsupported("a complex result of a function")
            }
            let columns = model.resultColumns(of: type)
            guard let column = columns.firstIndex(where: { $0.names.wire == member }) else {
                throw ExpressionError(.unknownProperty, message: "'\(name)' has no '\(member)'.", target: name)
            }
            var call = call
            call.column = column
            return try inside(value(of: call, as: columns[column]), rest.dropFirst(), [name, member], context)
        case .primitive, .enumeration:
            guard let property = model.property(Names(wire: name), of: type) else {
                throw unsupported("such a result of a function")
            }
            return try inside(value(of: call, as: property), rest, [name], context)
        }
    }

    private func value(of call: TypedExpression.Invocation, as property: Property) -> TypedExpression {
        TypedExpression(
            node: .invoke(call),
            type: property.type,
            enumeration: property.enumeration,
            structure: property.structure
        )
    }
}

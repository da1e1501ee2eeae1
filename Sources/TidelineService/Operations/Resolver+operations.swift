// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// Segments that call functions and actions.
///
/// A name means a property or a type first, then an operation, then the key of an entity.
/// Source: OData URL Conventions 4.01, section 4.6 and 4.7; OData Protocol 4.01, section 11.5.
extension Resolver {
    /// The options that can give parameters: those of the last segment alone.
    func options(isLast: Bool) -> QueryOptions? { isLast ? call.options : nil }

    /// The call of an unbound operation by the name of its import; `nil` where there is none.
    func imported(_ name: String, _ form: FunctionCall?) throws -> Resource? {
        let overloads = planner.model.operations(imported: name)
        guard !overloads.isEmpty else { return nil }
        return .call(try invocation(overloads, form, .none))
    }

    /// The call that a segment is; `nil` where the name means something else first.
    func called(
        _ segment: ResourcePath.Segment,
        on resource: Resource,
        _ options: QueryOptions?
    ) throws -> Resource? {
        let type: EntityType
        var derived: String?
        var isEntity = false
        switch resource {
        case .entity(let entity):
            (type, derived, isEntity) = (entity.set.type, entity.derivedType, true)
        case .collection(let collection): type = collection.set.type
        default: return nil
        }
        switch segment {
        case .function(let name, let arguments):
            return try bound(name, FunctionCall(arguments, options: options), to: resource)
        case .cast(let name), .action(let name):
            guard type.cast(name, in: planner.model) == nil else { return nil }
            if let call = try bound(name, FunctionCall([], options: options), to: resource) { return call }
            if isOperation(name) { throw nothing(called: name) }
        case .name(let name, let predicate):
            if isEntity, type.member(name, as: derived) != nil { return nil }
            guard type.cast(name, in: planner.model) == nil else { return nil }
            if let call = try bound(name, FunctionCall(predicate, options: options), to: resource) { return call }
            // On a collection it may be the key of an entity.
            if isEntity, isOperation(name) { throw nothing(called: name) }
        default: break
        }
        return nil
    }

    private func isOperation(_ name: String) -> Bool {
        guard let name = operationName(name) else { return false }
        return planner.model.operations.contains { $0.names.wire == name }
    }

    /// The call of an operation on an entity or a collection; `nil` where no operation of the name is called on it.
    func bound(_ name: String, _ form: FunctionCall?, to resource: Resource) throws -> Resource? {
        guard let name = operationName(name) else { return nil }
        let target: Invocation.Target
        var overloads: [EdmOperation]
        switch resource {
        case .entity(let entity):
            target = .entity(entity)
            overloads = planner.model.operations(
                boundTo: entity.set,
                derivedType: entity.derivedType,
                isCollection: false
            )
        case .collection(let collection) where collection.keyStart.isEmpty:
            target = .collection(collection)
            overloads = planner.model.operations(
                boundTo: collection.set,
                derivedType: collection.derivedType,
                isCollection: true
            )
        default: return nil
        }
        overloads = overloads.filter { $0.names.wire == name }
        guard !overloads.isEmpty else { return nil }
        if case .collection(let collection) = target, collection.isEach {
            throw ODataError(.notSupported, "An operation is not called on $each.", target: name)
        }
        return .call(try invocation(mostSpecificFirst(overloads, resource), form, target))
    }

    /// What follows a call: the function is carried out, if what it gives can be gone on from.
    func composed(_ invocation: Invocation) throws -> Resource {
        let operation = invocation.operation
        guard operation.kind == .function, operation.isComposable else {
            throw ODataError(
                .notFound,
                "Nothing can follow the call of \(operation.names.wire), which is not composable.",
                target: operation.names.wire
            )
        }
        return try OperationCaller(self).outcome(of: invocation)
    }

    /// The entity, once it is known to be among what an operation gave, where the collection is that.
    func member(_ entity: Resource.Entity, of collection: Resource.Collection) throws -> Resource.Entity {
        guard collection.source != nil else { return entity }
        guard try OperationCaller(self).keys(of: collection).contains(entity.key) else {
            throw ODataError.absentEntity(entity.set.names.wire)
        }
        var entity = entity
        entity.isAddressedByKey = false
        return entity
    }

    /// One step from what a function gave: a property of a complex value, the bare text, how many there are.
    func step(_ segment: ResourcePath.Segment, from value: ComputedValue) throws -> Resource {
        switch segment {
        case .name(let name, nil):
            if let member = value.member(name, in: planner.model) { return .computed(member) }
            if Int(name) == nil { throw nothing(called: name) }
            break
        case .literal(let text):
            guard let place = Int(text), let item = value.item(at: place, in: planner.model) else { break }
            return .computed(item)
        case .count:
            guard let count = value.count else { break }
            return .computedCount(count)
        case .value:
            guard case .value(let property, _) = value.form, property.structure == nil else { break }
            return .computedText(value)
        default: break
        }
        throw ODataError(.notFound, "The path leads nowhere.")
    }

    /// The error for a name that leads nowhere: it tells where an operation of that name is called.
    func nothing(called name: String) -> ODataError {
        let plain = operationName(name) ?? name
        let model = planner.model
        var message = "Nothing is called \(name.prefix(128)) here."
        if let near = NearName.of(name, among: rootNames) {
            // An entity set with nothing in its parentheses reads as a call.
            message =
                near == name && model[set: name] != nil
                ? "In the parentheses of \(name) stands a key, as in \(name)(1); all of it is \(name)."
                : "\(message.dropLast()); there is \(near)."
        }
        if let operation = model.operations.first(where: { $0.names.wire == plain }),
            planner.policies.mayCall(operation.names.wire, call.user),
            operation.binding.map({ model[named: $0.set] != nil }) ?? true
        {
            if let binding = operation.binding {
                let what = binding.isCollection ? "the collection" : "an entity of"
                message = "\(plain) is called on \(what) \(binding.derivedType ?? binding.set)."
            } else if let name = operation.imports.first?.name {
                message = "\(plain) is called at the root of the service, as \(name)."
            }
        }
        return ODataError(.notFound, message, target: String(name.prefix(128)))
    }

    /// What the root of the service has for the user: sets, singletons, and operations that can be called.
    private var rootNames: [String] {
        let model = planner.model
        let (policies, user) = (planner.policies, call.user)
        return model.sets.filter { !$0.isContained && policies.mayUse($0.names.wire, user) }.map(\.names.wire)
            + model.singletons.filter { policies.mayUse($0.set, user) }.map(\.names.wire)
            + model.operations.filter { policies.mayCall($0.names.wire, user) }.flatMap { $0.imports.map(\.name) }
    }

    private func invocation(
        _ overloads: [EdmOperation],
        _ form: FunctionCall?,
        _ target: Invocation.Target
    ) throws -> Invocation {
        let first = overloads[0]
        let name = first.names.wire
        try planner.checkCall(of: first, by: call.user)
        guard let form else {
            throw ODataError(.invalidURL, "The parameters of \(name) are given by their names.", target: name)
        }
        guard first.kind == .function else {
            guard form.arguments.isEmpty else {
                throw ODataError(.invalidURL, "The parameters of the action \(name) stand in the body.", target: name)
            }
            return Invocation(operation: first, target: target)
        }
        // A call by a method that no function takes is refused for that, whatever its parameters.
        guard call.method == .get || call.method == .head || !form.isLast else {
            throw ReadHandler.notAllowed("\(name) is a function: it is called by GET.")
        }
        let (operation, values) = try form.resolve(overloads, in: planner.model)
        return Invocation(operation: operation, arguments: values, target: target)
    }

    /// The unqualified name; `nil` for one of another namespace.
    ///
    /// The model's namespace is the default one, so both forms are the same.
    private func operationName(_ name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return name }
        return name[..<dot] == planner.model.namespace ? String(name[name.index(after: dot)...]) : nil
    }

    /// Of overloads for a type and for those that extend it, the one for the type that extends most counts.
    private func mostSpecificFirst(_ overloads: [EdmOperation], _ resource: Resource) -> [EdmOperation] {
        let type: EntityType
        switch resource {
        case .entity(let entity): type = entity.set.type
        case .collection(let collection): type = collection.set.type
        default: return overloads
        }
        func depth(_ operation: EdmOperation) -> Int {
            operation.binding?.derivedType.map { type.lineage(of: $0).count } ?? 0
        }
        return overloads.sorted { depth($0) > depth($1) }
    }
}

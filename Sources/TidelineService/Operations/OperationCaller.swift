// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Carries out calls of operations: what they are called on is looked up behind the caller's policies.
struct OperationCaller {
    let resolver: Resolver
    private var planner: Planner { resolver.planner }

    init(_ resolver: Resolver) {
        self.resolver = resolver
    }

    /// The most entities of a collection that an operation is called on.
    private static let keyLimit = 10_000

    // MARK: Functions

    /// What a function's call leads to.
    ///
    /// A function that gives entities is called by the store, within the read of them; others are called here.
    /// - Throws: `MethodNotAllowed` for an action, which GET does not call.
    func outcome(of invocation: Invocation) throws -> Resource {
        let operation = invocation.operation
        guard operation.kind == .function else {
            throw ReadHandler.notAllowed("\(operation.names.wire) is an action: it is called by POST.")
        }
        let call = try self.call(invocation, arguments: invocation.arguments)
        guard let type = operation.returnType, type.isCollection, case .entity(let set, let derived) = type.element,
            operation.body != .handler
        else { return try resource(try planner.operations.call(call, resolver.reader), of: operation) }
        return try collection(.function(call), set, derived)
    }

    // MARK: Actions

    /// Performs an action; what it gave is read again when its group is done.
    func perform(_ invocation: Invocation, arguments: [Value?], writer: any StoreWriter) throws -> OperationResult {
        try planner.operations.perform(try call(invocation, arguments: arguments), writer)
    }

    // MARK: Calls

    private func call(_ invocation: Invocation, arguments: [Value?]) throws -> OperationCall {
        let operation = invocation.operation
        let given = operation.parameters.enumerated().map { place, parameter in
            (arguments.indices.contains(place) ? arguments[place] : nil) ?? parameter.defaultValue
        }
        var call = OperationCall(operation, arguments: given, user: resolver.call.user)
        switch invocation.target {
        case .none: break
        case .entity(let entity):
            guard try resolver.visible(entity) != nil else { throw ODataError.absentEntity(entity.set.names.wire) }
            call.keys = [entity.key]
        case .collection(let collection):
            if call.needsKeys {
                call.keys = try keys(of: collection)
            } else if collection.restriction != nil || collection.source != nil {
                throw ODataError(
                    .notSupported,
                    "\(operation.names.wire) is for all of \(collection.set.names.wire), not for a part of it.",
                    target: operation.names.wire
                )
            }
        }
        return call
    }

    /// The keys of the entities of a collection that the user can see.
    func keys(of collection: Resource.Collection) throws -> [Key] {
        try resolver.keys(
            of: collection,
            limit: Self.keyLimit,
            refusal: "An operation is called on \(Self.keyLimit) entities at most."
        )
    }

    // MARK: Results

    /// What an operation gave, as a URL could lead to it: entities that the user may not see are not among it.
    func resource(_ result: OperationResult, of operation: EdmOperation) throws -> Resource {
        guard let type = operation.returnType else { return .nothing }
        guard case .entity(let set, let derived) = type.element else {
            return ComputedValue(result, of: type, in: planner.model).map(Resource.computed) ?? .nothing
        }
        if type.isCollection { return try collection(.keys(result.keys), set, derived) }
        guard let key = result.keys.first else { return .nothing }
        var entity = Resource.Entity(set: try self.set(set), key: key, isAddressedByKey: false)
        if let derived {
            entity.derivedType = derived
            entity.restriction = entity.set.type.isOf(derived)
        }
        return try resolver.visible(entity) == nil ? .nothing : .entity(resolver.placed(entity))
    }

    private func collection(_ source: RowSource, _ set: String, _ derived: String?) throws -> Resource {
        var collection = Resource.Collection(set: try self.set(set))
        collection.source = source
        if let derived {
            collection.derivedType = derived
            collection.restriction = collection.set.type.isOf(derived)
        }
        return .collection(collection)
    }

    private func set(_ name: String) throws(ODataError) -> EntitySet {
        guard let set = planner.model[set: name] else { throw ODataError(.notFound, "There is no entity set \(name).") }
        return set
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Carries out one step: finds what its URL leads to and hands over to who changes that.
struct StepRunner {
    let core: Core
    let writer: any StoreWriter
    let call: Call
    let step: Step
    /// See ``GroupWriter/isGuarded``.
    let isGuarded: Bool

    var resolver: Resolver { Resolver(planner: core.planner, reader: writer, call: call) }
    var rows: RowWriter { RowWriter(core: core, writer: writer, call: call, step: step) }
    var tree: TreeWriter { TreeWriter(rows: rows) }
    var links: LinkWriter { LinkWriter(rows: rows) }

    func write(_ set: EntitySet) -> EntityWrite {
        EntityWrite(core: core, writer: writer, call: call, set: set)
    }

    func run() throws {
        try requireNoChoice()
        try call.requireNoStray()
        switch step.verb {
        case .insert: try insert()
        case .update(let replaces): try update(replaces: replaces)
        case .delete: try delete()
        }
    }

    /// Refuses the options that choose among many: a change is of all that its path names.
    ///
    /// What an action gives may be chosen from.
    private func requireNoChoice() throws(ODataError) {
        guard let option = call.options.firstChoice,
            Methods.operation(of: call.target.path, in: core.planner.model) == nil
        else { return }
        throw ODataError(
            .invalidQueryOption,
            "\(option) does not go with a change, which is of all that its path names: Set/$filter(…)/$each changes or "
                + "deletes a part of a set.",
            target: option
        )
    }

    // MARK: POST

    private func insert() throws {
        switch try resolver.resolve() {
        case .reference(let source, let navigation, _):
            try relate(source) { try links.add(source, navigation, to: try reference(), $0) }
        case .property(let entity, let place): try append(to: place, of: entity)
        case .call(let invocation): try ActionPerformer(rows: rows).perform(invocation)
        case .collection(let collection) where !collection.isEach: try insert(into: collection)
        default:
            throw ReadHandler.notAllowed(
                "Entities are made by POST to an entity set or a collection of related entities."
            )
        }
    }

    private func insert(into collection: Resource.Collection) throws {
        let set = collection.set
        guard call.options.index == nil else {
            throw ODataError(
                .invalidQueryOption,
                "$index says where an item of a collection of values is put; entities have no places.",
                target: "$index"
            )
        }
        try rows.mayWrite(.insert, set)
        let body = try insertBody(set)
        step.body = body
        if let relation = try relation() {
            try relation.insert { try made(body, set, link: $0, cast: collection.derivedType) }
        } else {
            try ReadHandler.checkUnversioned(call.fields)
            _ = try made(body, set, link: collection.link, cast: collection.derivedType)
        }
        if set.isContained { step.entity?.containedIn = collection.containedIn }
    }

    private func made(_ body: EntityBody, _ set: EntitySet, link: [Int: Value], key: Key? = nil, cast: String?)
        throws -> Resource.Entity
    {
        try checkDepth(body)
        let entity = try tree.insert(body, into: set, link: link, key: key, cast: cast)
        step.entity = entity
        step.effect = .inserted
        return entity
    }

    /// The body of an insert: for a media entity its content.
    private func insertBody(_ set: EntitySet) throws -> EntityBody {
        guard let place = set.type.mediaProperty else { return try write(set).body() }
        var body = EntityBody()
        body.media = call.upload == nil ? call.body : []
        if let type = set.type.properties[place].stream?.contentTypeProperty {
            let text = call.fields[.contentType] ?? "application/octet-stream"
            body.assignments.append(EntityBody.Assignment(property: type, value: .string(text)))
        }
        return body
    }

    /// An answer is as deep as the request, so the request is no deeper than an answer may be.
    private func checkDepth(_ body: EntityBody) throws(ODataError) {
        func depth(_ body: EntityBody) -> Int {
            body.nested.flatMap(\.members).map { depth($0) + 1 }.max() ?? 0
        }
        guard depth(body) <= core.planner.limits.expandDepth else {
            throw ODataError(
                .tooComplex,
                "Entities stand in entities to \(core.planner.limits.expandDepth) levels at most."
            )
        }
    }

    /// The relation that the URL ends with, where its entities hold or share the foreign key.
    private func relation() throws -> Relation? {
        var segments = call.target.path.segments
        guard segments.count > 1, case .name(let name, _)? = segments.popLast(),
            case .entity(let source) = try resolver.resolve(ResourcePath(segments)),
            let place = source.set.type.navigationIndex(wire: name),
            !source.set.type.navigationProperties[place].isDependent
        else { return nil }
        guard let stored = try resolver.visible(source) else { throw ODataError.absentEntity(source.set.names.wire) }
        return try Relation(rows, source, stored, place)
    }

    // MARK: PATCH, PUT

    private func update(replaces: Bool) throws {
        let resource = try notCall(try resolver.resolve())
        switch resource {
        case .reference(let source, let navigation, _) where replaces:
            return try relate(source) { try links.replace(source, navigation, try references(), $0) }
        case .property(let entity, let place) where entity.set.type.properties[place].stream != nil && replaces:
            return try putValue(place, of: entity)
        case .property(let entity, let place): return try put(place, of: entity, replaces: replaces)
        case .value(let entity, let place) where replaces: return try putValue(place, of: entity)
        case .complex(let entity, let place): return try putComplex(place, of: entity, replaces: replaces)
        case .dynamic(let entity, let name) where replaces: return try putDynamic(name, of: entity)
        case .collection(let collection) where collection.isEach:
            return try EachWriter(rows: rows, tree: tree).update(collection, replaces: replaces)
        case .collection(let collection) where !replaces:
            let items = DeltaItemWriter(rows: rows, tree: tree, links: links)
            return try DeltaWriter(items: items, isGuarded: isGuarded).run(collection)
        default: break
        }
        let (entity, current) = try admit(.update, resource)
        let body = try write(entity.set).body()
        step.body = body
        if let condition = body.etag, try ODataVersion.ofBody(call.fields) == .v401, !step.isParked, step.effect == nil
        {
            try rows.check(condition, current, name: "@etag")
        }
        try checkDepth(body)
        guard let current else {
            if let relation = try relation() {
                try relation.insert {
                    try made(body, entity.set, link: $0, key: entity.key, cast: entity.derivedType)
                }
            } else {
                _ = try made(body, entity.set, link: [:], key: entity.key, cast: entity.derivedType)
            }
            step.entity = entity
            return
        }
        try tree.update(body, entity, current, replaces: replaces)
        step.effect = .updated
    }

    // MARK: DELETE

    private func delete() throws {
        let resource = try notCall(try resolver.resolve())
        switch resource {
        case .reference(let source, let navigation, let target):
            return try relate(source) {
                try links.remove(source, navigation, target, id: call.options.id, $0)
            }
        case .value(let entity, let place) where entity.set.type.mediaProperty == place:
            // The content and its entity are one: the URL of either deletes both.
            let (entity, _) = try admit(.delete, .entity(entity))
            try rows.delete(entity)
            step.effect = .deleted
            return
        case .property(let entity, let place), .value(let entity, let place): return try clear(place, of: entity)
        case .complex(let entity, let place): return try clearComplex(place, of: entity)
        case .dynamic(let entity, let name): return try clearDynamic(name, of: entity)
        case .collection(let collection) where collection.isEach:
            return try EachWriter(rows: rows, tree: tree).delete(collection)
        default: break
        }
        if let entity = try deletedByGroup(resource) {
            step.entity = entity
        } else {
            let (entity, _) = try admit(.delete, resource)
            try rows.delete(entity)
        }
        step.effect = .deleted
    }

    /// The entity, where its row fell with another one of the group: then nothing is left to do.
    private func deletedByGroup(_ resource: Resource) throws -> Resource.Entity? {
        guard step.wasOfItsVersion, case .entity(let entity) = resource else { return nil }
        try rows.mayWrite(.delete, entity.set)
        return try writer.entity(entity.key, in: entity.set) == nil ? entity : nil
    }

    private func relate(_ source: Resource.Entity, _ body: (RowWriter.Conditions) throws -> Void) throws {
        guard try resolver.visible(source) != nil else { throw ODataError.absentEntity(source.set.names.wire) }
        let isAgain = step.isAdmitted
        // The row is not known to be one that may be changed, so it is no `current` of the step.
        step.entity = source
        step.isAdmitted = true
        try body(isAgain ? .none : try rows.headerConditions())
        step.effect = .updated
        step.reply = .nothing
    }

    /// Operations are called by GET or POST alone.
    private func notCall(_ resource: Resource) throws(ODataError) -> Resource {
        guard case .call(let invocation) = resource else { return resource }
        let verb = invocation.operation.kind == .function ? "GET" : "POST"
        throw ReadHandler.notAllowed("\(invocation.operation.names.wire) is called by \(verb).")
    }

    // MARK: Admission

    /// Finds the row and makes sure that it may be changed: once for each step, against the row as its turn comes.
    ///
    /// - Returns: the row as it is; `nil` for one that is to be made.
    func admit(_ operation: Policy.Operation, _ resource: Resource) throws -> (Resource.Entity, StoredEntity?) {
        if step.isAdmitted, let entity = step.entity { return (entity, step.current) }
        guard case .entity(let entity) = resource else {
            if case .nothing = resource { throw ODataError(.notFound, "There is no related entity.") }
            throw ReadHandler.notAllowed("\(call.method.rawValue) changes single entities.")
        }
        let current = try rows.admit(operation, entity, try rows.headerConditions())
        if current == nil {
            var isUpsert = operation == .update && entity.isAddressedByKey
            if isUpsert, entity.restriction != nil, entity.derivedType == nil {
                isUpsert = try relation()?.navigation.isContainment ?? false
            }
            guard isUpsert, !entity.set.type.hasGeneratedKey, entity.set.type.mediaProperty == nil else {
                throw ODataError.absentEntity(entity.set.names.wire)
            }
            try rows.mayWrite(.insert, entity.set)
            try write(entity.set).checkKey(entity.key)
        }
        step.entity = entity
        step.current = current
        step.isAdmitted = true
        return (entity, current)
    }
}

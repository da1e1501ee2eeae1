// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Changes of a part of an entity: one property, or one reference. Each is a change of the row that holds it.
extension StepRunner {
    /// PUT of one property: `{"value": …}`.
    func put(_ place: Int, of entity: Resource.Entity) throws {
        var property = entity.set.type.properties[place]
        property.names.wire = "value"
        // The body has the form of an entity with that one property.
        let type = EntityType(names: entity.set.type.names, properties: [property], key: [])
        let reader = EntityBodyReader(type: type, version: try ODataVersion.ofBody(call.fields))
        guard let assignment = try reader.read(call.body[...]).assignments.first else {
            throw ODataError(.invalidBody, "The body has no \"value\".", target: "value")
        }
        try change(entity, [place: assignment.value])
    }

    /// PUT or POST to `Nav/$ref`: ties two entities.
    ///
    /// The one that holds the foreign key is changed.
    func bind(_ source: Resource.Entity, _ place: Int) throws {
        let navigation = source.set.type.navigationProperties[place]
        let body = try EntityBodyReader(type: source.set.type, version: try ODataVersion.ofBody(call.fields)).read(
            call.body[...]
        )
        guard let id = body.id else { throw ODataError(.invalidBody, "The body has no @id.", target: "@id") }
        if navigation.isDependent {
            let write = EntityWrite(core: core, writer: writer, call: call, set: source.set)
            return try change(source, try write.values(of: navigation, referringTo: id))
        }
        guard let stored = try resolver.visible(source) else { throw ODataError.absentEntity(source.set.names.wire) }
        let child = try self.child(id, of: navigation)
        var values: [Int: Value] = [:]
        for constraint in navigation.constraints { values[constraint.target] = stored.values[constraint.source] }
        try change(child, values)
    }

    /// DELETE of `Nav/$ref`: unties two entities.
    func unbind(_ source: Resource.Entity, _ place: Int, _ target: Key?) throws {
        let navigation = source.set.type.navigationProperties[place]
        if navigation.isDependent {
            return try change(
                source,
                Dictionary(navigation.constraints.map { ($0.source, .null) }) { first, _ in first }
            )
        }
        guard let stored = try resolver.visible(source), let set = core.planner.model[set: navigation.targetSet] else {
            throw ODataError.absentEntity(source.set.names.wire)
        }
        let child: Resource.Entity
        if let target {
            child = Resource.Entity(set: set, key: target)
        } else {
            guard let id = call.options.id else {
                throw ODataError(.invalidQueryOption, "Name the reference to remove with $id.", target: "$id")
            }
            child = try self.child(id, of: navigation)
        }
        let tied = TypedExpression.equal(
            navigation.constraints.map(\.target),
            of: set.type,
            to: navigation.constraints.map { stored.values[$0.source] }
        )
        guard try resolver.visible(Resource.Entity(set: set, key: child.key, restriction: tied)) != nil else {
            throw ODataError.absentEntity(set.names.wire)
        }
        try change(child, Dictionary(navigation.constraints.map { ($0.target, .null) }) { first, _ in first })
    }

    /// The entity that a reference names, as seen by this user.
    private func child(_ id: String, of navigation: NavigationProperty) throws -> Resource.Entity {
        let missing = ODataError(
            service: ServiceCode.missingReference,
            "The entity that \(navigation.names.wire) refers to does not exist.",
            target: navigation.names.wire
        )
        guard let text = try? Address(call.root).relative(id), let target = try? RequestTarget(parsing: text),
            case .entity(let entity)? = try? resolver.resolve(target.path),
            entity.set.names.wire == navigation.targetSet,
            try resolver.visible(entity) != nil
        else { throw missing }
        return entity
    }
}

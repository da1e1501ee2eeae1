// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Answers a step that is done with what is there at the end of its group.
struct Responder {
    let core: Core
    let reader: any StoreReader

    func answer(to step: Step) throws -> Answer {
        var call = step.call
        if let body = step.body, let set = step.entity?.set {
            call.target.options.expand = expanding(body, set, call.options.expand)
        }
        let read = ReadHandler(core: core, reader: reader, call: call)
        guard let effect = step.effect else {
            throw ODataError(service: ServiceCode.internalError, "The request was not carried out.")
        }
        var fields = read.fields()
        if effect == .deleted { return Answer(.noContent, fields: fields) }
        let wantsBody = wantsRepresentation(step.call, effect)
        switch step.reply {
        case .nothing: return nothing(step, fields)
        case .changes(let set):
            guard wantsBody, core.planner.policies.access(.read, to: set.names.wire, for: call.user) != .none else {
                return nothing(step, fields)
            }
            var answer = try DeltaReply(core: core, reader: reader, call: call, set: set).answer(to: step.touched)
            answer.fields[.preferenceApplied] = applied(call)
            return answer
        case .failures(let failures, let set): return DeltaFailures(call: call, set: set).answer(failures)
        case .resource:
            guard wantsBody, case var answer = try resource(call) else { return nothing(step, fields) }
            answer.fields[.preferenceApplied] = applied(call)
            return answer
        case .entities(let entities):
            guard wantsBody, case var answer = try self.entities(entities, call) else { return nothing(step, fields) }
            answer.fields[.preferenceApplied] = applied(call)
            return answer
        case .entity: break
        }
        guard let entity = step.entity else {
            throw ODataError(service: ServiceCode.internalError, "The request was not carried out.")
        }
        fields[.preferenceApplied] = applied(call)
        let url = call.root + entity.url
        if effect == .inserted { fields[.location] = url }
        var target = entity
        target.restriction = nil
        if wantsBody, var answer = try representation(of: target, effect, read) {
            for field in fields where answer.fields[field.name] == nil { answer.fields.append(field) }
            return answer
        }
        fields[.odataEntityId] = effect == .inserted ? url : nil
        let etag = try visibleETag(of: target, call)
        fields[.eTag] = etag?.text
        return Answer(
            .noContent,
            fields: fields,
            entity: Call.Reference(set: entity.set, key: entity.key, etag: etag)
        )
    }

    /// Whether the answer has a body: where the client asks for it, or for its form; else where something was made.
    private func wantsRepresentation(_ call: Call, _ effect: Step.Effect) -> Bool {
        switch call.preferences.returns {
        case .representation: true
        case .minimal: false
        case nil: effect == .inserted || call.options.select != nil || !call.options.expand.isEmpty
        }
    }

    /// The preference that was followed, as it is told.
    private func applied(_ call: Call) -> String? {
        var applied = Preferences()
        applied.returns = call.preferences.returns
        return applied.headerValue
    }

    private func nothing(_ step: Step, _ fields: HTTPFields) -> Answer {
        var fields = fields
        if step.call.preferences.returns == .minimal { fields[.preferenceApplied] = applied(step.call) }
        let etag = step.entity.flatMap { try? visibleETag(of: Resource.Entity(set: $0.set, key: $0.key), step.call) }
        if case .resource = step.reply { fields[.eTag] = etag?.text }
        return Answer(
            .noContent,
            fields: fields,
            entity: step.entity.map { Call.Reference(set: $0.set, key: $0.key, etag: etag) }
        )
    }

    // MARK: Bodies

    /// The expansions of the answer: those that are asked for, and all that the body has nested.
    private func expanding(_ body: EntityBody, _ set: EntitySet, _ asked: [ExpandItem]) -> [ExpandItem] {
        var items = asked
        for related in body.nested {
            let navigation = set.type.navigationProperties[related.navigation]
            let name = navigation.names.wire
            guard !items.contains(where: { $0.navigation == name || $0.navigation == "*" }),
                let target = core.planner.model[set: navigation.targetSet]
            else { continue }
            var options = QueryOptions()
            for member in related.members { options.expand = expanding(member, target, options.expand) }
            items.append(ExpandItem(navigation: name, options: options))
        }
        return items
    }

    /// What the URL leads to, as GET answers it.
    private func resource(_ call: Call) throws -> Answer {
        var call = call
        call.method = .get
        call.fields[.ifMatch] = nil
        call.fields[.ifNoneMatch] = nil
        return try ReadHandler(core: core, reader: reader, call: call).answer().finished()
    }

    /// Entities of one set as a collection.
    private func entities(_ entities: [Resource.Entity], _ call: Call) throws -> Answer {
        guard let set = entities.first?.set else { return Answer(.noContent, fields: HTTPFields()) }
        var call = call
        call.isPaged = false
        call.preferences.tracksChanges = false
        let keys = TypedExpression.isKey(entities.map(\.key), of: set.type)
        let collection = Resource.Collection(set: set, restriction: keys)
        return try ReadHandler(core: core, reader: reader, call: call).collection(collection).finished()
    }

    /// The entity as a body; `nil` when the user may not see what it made.
    private func representation(
        of entity: Resource.Entity,
        _ effect: Step.Effect,
        _ read: ReadHandler
    ) throws -> Answer? {
        guard core.planner.policies.access(.read, to: entity.set.names.wire, for: read.call.user) != .none else {
            return nil
        }
        return try read.representation(of: entity, status: effect == .inserted ? .created : .ok)
    }

    private func visibleETag(of entity: Resource.Entity, _ call: Call) throws -> ETag? {
        guard core.planner.policies.access(.read, to: entity.set.names.wire, for: call.user) != .none else {
            return nil
        }
        return try Resolver(planner: core.planner, reader: reader, call: call).visible(entity)?.etag
    }
}

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
    private let forms = EntityForms()

    init(core: Core, reader: any StoreReader) {
        self.core = core
        self.reader = reader
    }

    /// The rows that the answer to a step tells whole.
    func rows(of step: Step) -> [(key: Key, set: EntitySet)] {
        guard case .entity = step.reply, let entity = step.entity, let effect = step.effect, effect != .deleted,
            step.call.options.select == nil, step.call.options.expand.isEmpty, step.call.options.compute.isEmpty,
            step.body?.nested.isEmpty ?? true,
            wantsRepresentation(step.call, effect),
            core.planner.policies.access(.read, to: entity.set.names.wire, for: step.call.user) == .all
        else { return [] }
        return [(entity.key, entity.set)]
    }

    func answer(to step: Step) throws -> Answer {
        var call = step.call
        if let body = step.body, !body.nested.isEmpty, let set = step.entity?.set {
            call.target.options.expand = expanding(body, set, call.options.expand)
        }
        let omission = Self.omission(of: call)
        if call.format.omits != omission { call.format.omits = omission }
        let read = ReadHandler(core: core, reader: reader, call: call)
        guard let effect = step.effect else {
            throw ODataError(service: ServiceCode.internalError, "The request was not carried out.")
        }
        var fields = read.fields()
        if effect == .deleted { return Answer(.noContent, fields: fields) }
        fields[.vary] = "Prefer"
        let wantsBody = wantsRepresentation(step.call, effect)
        switch step.reply {
        case .nothing: return nothing(step, fields)
        case .changes(let set):
            guard wantsBody, core.planner.policies.access(.read, to: set.names.wire, for: call.user) != .none else {
                return nothing(step, fields)
            }
            // What was changed is told whole.
            call.format.refersToEntities = false
            let reply = DeltaReply(core: core, reader: reader, call: call, set: set)
            return told(try reply.answer(to: step.touched), call)
        case .failures(let failures, let set): return DeltaFailures(call: call, set: set).answer(failures)
        case .result(let result, let operation, let isCreated):
            return try answer(to: result, of: operation, isCreated: isCreated, read)
        case .resource:
            guard wantsBody else { return nothing(step, fields) }
            return told(try resource(call), call)
        case .entities(let entities):
            guard wantsBody, !entities.isEmpty else { return nothing(step, fields) }
            return told(try self.entities(entities, call), call)
        case .entity: break
        }
        guard let entity = step.entity else {
            throw ODataError(service: ServiceCode.internalError, "The request was not carried out.")
        }
        let url = call.root + entity.url
        if effect == .inserted { fields[.location] = url }
        var target = entity
        target.restriction = nil
        if wantsBody, var answer = try representation(of: target, effect, read) {
            for field in fields where answer.fields[field.name] == nil { answer.fields.append(field) }
            return told(answer, call)
        }
        if call.preferences.returns == .minimal { fields[.preferenceApplied] = applied(call) }
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

    /// The preferences that were followed, as they are told.
    private func applied(_ call: Call, hasBody: Bool = false) -> String? {
        var applied = hasBody ? call.applied : call.preferences.none
        applied.returns = call.preferences.returns
        return applied.headerValue
    }

    /// An answer with a body, and the preferences that it follows.
    private func told(_ answer: Answer, _ call: Call) -> Answer {
        var answer = answer
        answer.fields[.preferenceApplied] = applied(call, hasBody: true)
        return answer
    }

    /// What the answer to a change may leave out: after an insert no value that is not the default, after another change
    /// nothing, for it may have been changed to that.
    ///
    /// Source: OData Protocol 4.01, section 8.2.8.6.
    private static func omission(of call: Call) -> JSONFormat.Omission? {
        guard call.method == .post else { return nil }
        return call.format.omits == .nulls ? .nullDefaults : call.format.omits
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

    // MARK: Actions

    /// What an action gave, as it is at the end of the group.
    ///
    /// Source: OData Protocol 4.01, section 11.5.5.1.
    private func answer(
        to result: OperationResult,
        of operation: EdmOperation,
        isCreated: Bool,
        _ read: ReadHandler
    ) throws -> Answer {
        var fields = read.fields()
        fields[.preferenceApplied] = applied(read.call)
        var call = read.call
        call.isPaged = false
        call.preferences.tracksChanges = false
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch] { call.fields[name] = nil }
        let read = ReadHandler(core: core, reader: reader, call: call)
        let resource: Resource
        do {
            resource = try OperationCaller(read.resolver).resource(result, of: operation)
        } catch let error as ODataError where error.code == ServiceCode.accessDenied {
            // It was allowed to do it, not to see what became of it.
            resource = .nothing
        }
        var reference: Call.Reference?
        if case .entity(let entity) = resource {
            let url = call.root + entity.url
            reference = Call.Reference(set: entity.set, key: entity.key, etag: try visibleETag(of: entity, call))
            if isCreated { fields[.location] = url }
            if call.preferences.returns == .minimal, isCreated { fields[.odataEntityId] = url }
        }
        if case .nothing = resource { return Answer(.noContent, fields: fields) }
        if call.preferences.returns == .minimal {
            return Answer(.noContent, fields: fields, entity: reference)
        }
        var answer: Answer
        if case .entity(let entity) = resource {
            answer =
                try read.representation(of: entity, status: isCreated ? .created : .ok, forms)
                ?? Answer(.noContent, fields: fields)
        } else {
            answer = try read.answer(resource).finished()
        }
        for field in fields where answer.fields[field.name] == nil { answer.fields.append(field) }
        return answer.status == .noContent ? answer : told(answer, read.call)
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
        call.target.options.index = nil
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
        let collection = Resource.Collection(set: set, restriction: keys, containedIn: entities[0].containedIn)
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
        return try read.representation(of: entity, status: effect == .inserted ? .created : .ok, forms)
    }

    private func visibleETag(of entity: Resource.Entity, _ call: Call) throws -> ETag? {
        guard core.planner.policies.access(.read, to: entity.set.names.wire, for: call.user) != .none else {
            return nil
        }
        return try Resolver(planner: core.planner, reader: reader, call: call).visible(entity)?.etag
    }
}

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
        let call = step.call
        let read = ReadHandler(core: core, reader: reader, call: call)
        guard let effect = step.effect, let entity = step.entity else {
            throw ODataError(service: ServiceCode.internalError, "The request was not carried out.")
        }
        var fields = read.fields()
        let returns = call.preferences.returns
        if let returns {
            var applied = Preferences()
            applied.returns = returns
            fields[.preferenceApplied] = applied.headerValue
        }
        if effect == .deleted { return Answer(.noContent, fields: read.fields()) }
        let url = call.url(of: entity.set, entity.key)
        if effect == .inserted { fields[.location] = url }
        let wantsBody =
            returns == .representation || returns == nil && effect == .inserted
            || call.options.select != nil || !call.options.expand.isEmpty
        let target = Resource.Entity(set: entity.set, key: entity.key)
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

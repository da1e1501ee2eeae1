// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

extension ReadHandler {
    /// One entity.
    func entity(_ entity: Resource.Entity) throws -> Answer {
        try requireOne()
        guard let answer = try representation(of: entity, status: .ok) else { throw absent(entity) }
        return try conditional(answer.entity?.etag, answer)
    }

    /// The entity as a body, or `nil` when it is not there or may not be seen.
    ///
    /// - Parameter forms: those of the group that the request is of.
    func representation(
        of entity: Resource.Entity,
        status: HTTPResponse.Status,
        _ forms: EntityForms = EntityForms()
    ) throws -> Answer? {
        var options = call.options
        options.filter = nil
        options.orderBy = []
        options.top = nil
        options.skip = nil
        let (query, writer) = try forms.form(of: entity, options, call.format, paging, core) {
            try core.planner.query(entity.set, options, as: entity.derivedType, paging: paging, for: call.user)
        }
        if call.method == .get || call.method == .head { try refuseFaults(query) }
        var etag: ETag?
        let sink = NotingSink(writer, entity.set.type, columns: query.plan.columns) { etag = $1 }
        writer.begin(.entity, contextRoot: call.contextRoot)
        guard try reader.read(query.plan, into: sink).rows > 0 else { return nil }
        writer.end()
        core.exceptions.note(writer)
        var fields = dataFields()
        fields[.eTag] = etag?.text
        return Answer(
            status,
            fields: fields,
            body: .bytes(writer.output.bytes),
            entity: Call.Reference(set: entity.set, key: entity.key, etag: etag)
        )
    }

    /// Refuses the options that choose among many.
    private func requireOne() throws(ODataError) {
        guard let option = call.options.firstChoice else { return }
        throw ODataError(.invalidQueryOption, "\(option) is for collections; this is one entity.", target: option)
    }

    func absent(_ entity: Resource.Entity) -> ODataError { .absentEntity(entity.set.names.wire) }
}

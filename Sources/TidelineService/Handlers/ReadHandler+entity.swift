// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

extension ReadHandler {
    /// One entity.
    func entity(_ entity: Resource.Entity, _ resolver: Resolver) throws -> Answer {
        guard let answer = try representation(of: entity, status: .ok) else { throw absent(entity) }
        let etag = answer.entity?.etag
        if let condition = try ETagCondition.read(.ifNoneMatch, call.fields), condition.matches(etag) {
            var fields = fields()
            fields[.eTag] = etag?.text
            return Answer(.notModified, fields: fields, entity: answer.entity)
        }
        if let condition = try ETagCondition.read(.ifMatch, call.fields), !condition.matches(etag) {
            throw ODataError(
                service: ServiceCode.preconditionFailed,
                "The entity is of another version.",
                target: "If-Match"
            )
        }
        return answer
    }

    /// The entity as a body, or `nil` when it is not there or may not be seen.
    func representation(of entity: Resource.Entity, status: HTTPResponse.Status) throws -> Answer? {
        var options = call.options
        options.filter = nil
        options.orderBy = []
        options.top = nil
        options.skip = nil
        var query = try core.planner.query(entity.set, options, restriction: entity.condition, for: call.user)
        query.plan.pageLimit = .unlimited
        query.plan.top = 1
        let writer = JSONEntityWriter(shape: query.shape, format: call.format, type: entity.set.type)
        var etag: ETag?
        let sink = NotingSink(writer, entity.set.type, columns: query.plan.columns) { etag = $1 }
        writer.begin(.entity, contextRoot: call.contextRoot)
        guard try reader.read(query.plan, into: sink).rows > 0 else { return nil }
        writer.end()
        var fields = fields(contentType: call.format.contentType)
        fields[.eTag] = etag?.text
        return Answer(
            status,
            fields: fields,
            body: .bytes(writer.output.bytes),
            entity: Call.Reference(set: entity.set, key: entity.key, etag: etag)
        )
    }

    func absent(_ entity: Resource.Entity) -> ODataError { .absentEntity(entity.set.names.wire) }

    /// One property, in a small object of its own.
    ///
    /// Source: OData JSON Format 4.01, section 11.
    func property(_ entity: Resource.Entity, _ place: Int, _ resolver: Resolver) throws -> Answer {
        guard let stored = try resolver.visible(entity) else { throw absent(entity) }
        let value = stored.values[place]
        var fields = fields(contentType: call.format.contentType)
        fields[.eTag] = stored.etag.text
        if value.isNull {
            fields[.contentType] = nil
            return Answer(.noContent, fields: fields)
        }
        let property = entity.set.type.properties[place]
        let output = ByteWriter()
        output.append(text: "{\"@\(call.version == .v40 ? "odata." : "")context\":")
        let id = ResourceURL.entity(set: entity.set.names.wire, key: entity.key, type: entity.set.type)
        output.appendQuoted("\(call.contextRoot)#\(id)/\(property.names.wire)")
        output.append(text: ",\"value\":")
        output.append(value: value, type: property.type, format: call.format)
        output.append(text: "}")
        return Answer(.ok, fields: fields, body: .bytes(output.bytes))
    }

    /// `/$value`: the property as text, or a binary one as its bytes.
    func value(_ entity: Resource.Entity, _ place: Int, _ resolver: Resolver) throws -> Answer {
        guard let stored = try resolver.visible(entity) else { throw absent(entity) }
        switch stored.values[place] {
        case .null: return Answer(.noContent, fields: fields())
        case .binary(let bytes):
            return Answer(.ok, fields: fields(contentType: "application/octet-stream"), body: .bytes(bytes))
        case .boolean(let flag):
            return Answer(
                .ok,
                fields: fields(contentType: "text/plain;charset=utf-8"),
                body: .bytes(Array("\(flag)".utf8))
            )
        case let value:
            let text = Array((value.text ?? "").utf8)
            return Answer(.ok, fields: fields(contentType: "text/plain;charset=utf-8"), body: .bytes(text))
        }
    }
}

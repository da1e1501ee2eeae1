// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

extension ReadHandler {
    /// Some values of one entity, behind its policy.
    func values(_ places: [Int], of entity: Resource.Entity) throws -> (values: [Value], etag: ETag?) {
        var options = QueryOptions()
        options.select = []
        var query = try core.planner.query(
            entity.set,
            options,
            restriction: entity.condition,
            as: entity.derivedType,
            for: call.user
        )
        query.plan.columns = places
        query.plan.top = 1
        let sink = KeySink(entity.set.type, columns: places)
        guard try reader.read(query.plan, into: sink).rows > 0, let row = sink.rows.first else { throw absent(entity) }
        if let place = sink.exceptions.min() {
            throw ItemChoice.unreadable(entity.set.type.path(of: places[place]))
        }
        return (row, sink.etag)
    }

    /// One property, in a small object of its own.
    ///
    /// Source: OData JSON Format 4.01, section 11.
    func property(_ entity: Resource.Entity, _ place: Int) throws -> Answer {
        let property = entity.set.type.properties[place]
        if property.stream != nil { return try value(entity, place) }
        let choice = try choice(of: place, in: entity)
        let (stored, etag) = try values([place], of: entity)
        var values = stored
        let count = try choice.flatMap { try $0.choose(&values[0], property, call.format) }
        var shape = RowShape(entity.set, columns: [place], includesETag: false, model: core.planner.model)
        shape.columns[0].name = "value"
        shape.columns[0].defaultValue = nil
        // The members of a complex value stand in the answer itself.
        if case .complex? = property.structure { shape.columns[0].form = .dynamic }
        shape.columns[0].container = nil
        shape.columns[0].declaringType = nil
        return try answer(values, shape, entity, entity.set.type.path(of: place), etag, count: count)
    }

    /// A property that an open type does not declare: its value, or the members of an object.
    func dynamic(_ entity: Resource.Entity, _ name: String) throws -> Answer {
        let (place, value, row, etag) = try dynamicValue(entity, name)
        var shape = RowShape(entity.set, columns: [place], includesETag: false, model: core.planner.model)
        shape.columns[0].name = "value"
        if case .object(let json) = value { return try answer([.string(json)], shape, entity, name, etag) }
        shape.columns[0].members = [name: "value"]
        return try answer(row, shape, entity, name, etag)
    }

    /// `/$value` of it: the text of a single value.
    func dynamicText(_ entity: Resource.Entity, _ name: String) throws -> Answer {
        let (_, value, _, etag) = try dynamicValue(entity, name)
        guard case .scalar(let text) = value else { throw Self.notAllowed("\(name) has no raw value.") }
        var fields = fields(contentType: "text/plain;charset=utf-8")
        fields[.eTag] = etag?.text
        return try conditional(etag, Answer(.ok, fields: fields, body: .bytes(Array(text.utf8))))
    }

    private func dynamicValue(_ entity: Resource.Entity, _ name: String) throws
        -> (place: Int, value: DynamicValue, row: [Value], etag: ETag?)
    {
        let type = entity.set.type
        let missing = ODataError(.notFound, "\(entity.set.names.wire) has no property \(name).", target: name)
        guard let place = type.dynamicProperty else { throw missing }
        let (row, etag) = try values([place], of: entity)
        guard case .string(let bag) = row[0], let value = StructuredText.member(name, of: bag) else { throw missing }
        return (place, value, row, etag)
    }

    /// A complex property over columns: its members.
    func complex(_ entity: Resource.Entity, _ place: Int) throws -> Answer {
        let type = entity.set.type
        let chosen = try selected(in: place, of: entity)
        let parts = type.parts(of: place).filter { !type.properties[$0].isLocalOnly && chosen?.contains($0) ?? true }
        let (values, etag) = try values(parts, of: entity)
        var shape = RowShape(entity.set, columns: parts, includesETag: false, model: core.planner.model)
        for column in shape.columns.indices {
            shape.columns[column].declaringType = nil
            if shape.columns[column].container == place { shape.columns[column].container = nil }
        }
        for complex in shape.complexes.indices where shape.complexes[complex].parent == place {
            shape.complexes[complex].parent = nil
        }
        shape.type = shape.complexes[place].type
        let isNull = type.complexProperties[place].isNullable && values.allSatisfy(\.isNull)
        return try answer(isNull ? [] : values, shape, entity, type.path(ofComplex: place), etag)
    }

    private func answer(
        _ values: [Value],
        _ shape: RowShape,
        _ entity: Resource.Entity,
        _ path: String,
        _ etag: ETag?,
        count: Int? = nil
    ) throws -> Answer {
        var shape = shape
        shape.key = []
        shape.links = []
        shape.streams = []
        shape.derivation = nil
        shape.selected = nil
        if shape.columns.first?.name == "value" { shape.type = "" }
        var fields = dataFields()
        fields[.eTag] = etag?.text
        let reference = Call.Reference(set: entity.set, key: entity.key, etag: etag)
        let isNull = values.isEmpty || values == [.null] && shape.columns[0].form != .jsonArray
        if isNull {
            fields[.contentType] = nil
            return try conditional(etag, Answer(.noContent, fields: fields, entity: reference))
        }
        let writer = JSONEntityWriter(shape: shape, format: call.format)
        let cast = entity.derivedType.map { "/\(core.planner.model.namespace).\($0)" } ?? ""
        writer.begin(.entity, contextRoot: call.contextRoot, fragment: "\(entity.url)\(cast)/\(path)", count: count)
        writer.beginRow()
        for value in values { writer.push(value) }
        writer.endRow(etag: nil)
        writer.end()
        guard writer.exceptions.isEmpty else { throw ItemChoice.unreadable(path) }
        let answer = Answer(.ok, fields: fields, body: .bytes(writer.output.bytes), entity: reference)
        return try conditional(etag, answer)
    }

    /// `/$value`: the property as text, or a binary one as its bytes; a stream as what it is.
    func value(_ entity: Resource.Entity, _ place: Int) throws -> Answer {
        let property = entity.set.type.properties[place]
        let typePlace = property.stream?.contentTypeProperty
        let (values, etag) = try values([place] + (typePlace.map { [$0] } ?? []), of: entity)
        var answer = Answer(.ok, fields: fields(contentType: "text/plain;charset=utf-8"))
        switch (values[0], property.stream) {
        case (.null, _): answer = Answer(.noContent, fields: fields())
        case (.string(let name), let stream?) where stream.isFile:
            var type = stream.contentType
            if values.count == 2, case .string(let own) = values[1], Self.isMediaType(own) { type = own }
            answer = try file(name, of: property, fields(contentType: type), etag)
        case (.binary(let bytes), let stream):
            var type = stream?.contentType ?? "application/octet-stream"
            if values.count == 2, case .string(let own) = values[1], Self.isMediaType(own) { type = own }
            answer.fields = fields(contentType: type)
            answer.body = .bytes(bytes)
        case (.boolean(let flag), _): answer.body = .bytes(Array("\(flag)".utf8))
        case (.integer(let number), _):
            let type = property.enumeration.flatMap { core.planner.model[enumeration: $0] }
            answer.body = .bytes(Array((type?.text(of: number) ?? "\(number)").utf8))
        case (let value, _): answer.body = .bytes(Array((value.text ?? "").utf8))
        }
        answer.fields[.eTag] = etag?.text
        // What somebody put there is shown by a browser under the address of the service: it runs no script.
        if property.stream != nil { answer.fields[.contentSecurityPolicy] = "sandbox" }
        return try conditional(etag, answer)
    }

    /// The bytes of a file, or the part of them that is asked for.
    ///
    /// Source: RFC 9110, sections 13.1.5 and 14.
    private func file(_ name: String, of property: Property, _ given: HTTPFields, _ etag: ETag?) throws -> Answer {
        guard let files = core.files else {
            throw ODataError(.notSupported, "Streams in files are not served here.", target: property.names.wire)
        }
        guard let found = files.file(name) else {
            throw ODataError(
                service: ServiceCode.unreadableValue,
                "The file of the stream is not there.",
                target: property.names.wire
            )
        }
        var fields = given
        fields[.acceptRanges] = "bytes"
        let isOther = call.fields[.ifRange].map { $0 != etag?.text } ?? false
        switch isOther ? .whole : ByteRange(call.fields[.range], count: found.count) {
        case .whole:
            return Answer(.ok, fields: fields, body: .file(SpoolFile(owning: found.file, count: found.count)))
        case .part(let range):
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(found.count)"
            let part = SpoolFile(owning: found.file, count: range.count, start: range.lowerBound)
            return Answer(.partialContent, fields: fields, body: .file(part))
        case .unsatisfiable:
            _ = SpoolFile(owning: found.file, count: 0)
            fields[.contentType] = nil
            fields[.contentRange] = "bytes */\(found.count)"
            return Answer(.rangeNotSatisfiable, fields: fields)
        }
    }

    /// A stored media type goes into a header only when it is one.
    private static func isMediaType(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
}

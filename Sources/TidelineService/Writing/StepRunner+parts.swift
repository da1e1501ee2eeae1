// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Changes of a part of an entity: one property, or one reference. Each is a change of the row that holds it.
extension StepRunner {
    // MARK: Properties

    /// PUT or PATCH of one property: `{"value": …}`, or the members of a complex value.
    func put(_ place: Int, of entity: Resource.Entity, replaces: Bool) throws {
        let write = write(entity.set)
        try write.checkJSON()
        let property = entity.set.type.properties[place]
        if !replaces {
            guard case .complex? = property.structure else {
                throw ReadHandler.notAllowed("PATCH is for complex properties; \(property.names.wire) is none.")
            }
        }
        let body = try write.reader().property(place, in: call.body)
        let (entity, current) = try admitPart(entity)
        try write.checkChange(of: place, to: body.assignments.first?.value ?? .null)
        let values = try write.values(of: body, current: current, replaces: replaces)
        try change(entity, values, current)
    }

    /// PUT or PATCH of a complex property over columns; PUT sets the members that are not given to their defaults.
    func putComplex(_ place: Int, of entity: Resource.Entity, replaces: Bool) throws {
        let write = write(entity.set)
        try write.checkJSON()
        let body = try write.reader().complexProperty(place, in: call.body)
        let (entity, current) = try admitPart(entity)
        var values = try write.values(of: body, current: current, replaces: replaces)
        if replaces {
            let parts = entity.set.type.parts(of: place)
            // The rest of the entity is not replaced, so nothing of it is asked for.
            try write.complete(&values, isInsert: false, only: Set(parts))
        }
        try change(entity, values, current)
    }

    /// DELETE of a complex property over columns: null in all of them.
    func clearComplex(_ place: Int, of entity: Resource.Entity) throws {
        let type = entity.set.type
        guard type.complexProperties[place].isNullable else {
            throw ODataError(
                .invalidValue,
                "\(type.complexProperties[place].names.wire) cannot be null.",
                target: type.complexProperties[place].names.wire
            )
        }
        let (entity, current) = try admitPart(entity)
        let write = write(entity.set)
        var values: [Int: Value] = [:]
        for part in type.parts(of: place) where type.properties[part].isWritable {
            try write.checkChange(of: part, to: .null)
            values[part] = .null
        }
        try change(entity, values, current)
        step.reply = .nothing
    }

    /// PUT of a property that an open type does not declare.
    func putDynamic(_ name: String, of entity: Resource.Entity) throws {
        let write = write(entity.set)
        try write.checkJSON()
        try changeDynamic(try write.reader().dynamicProperty(name, in: call.body), of: entity)
    }

    /// DELETE of a property that an open type does not declare: it is there no longer.
    func clearDynamic(_ name: String, of entity: Resource.Entity) throws {
        // What is no name of a property is none that could be there.
        _ = try write(entity.set).reader().dynamicProperty(name, in: Array(#"{"value":null}"#.utf8))
        try changeDynamic("{\"\(name)\":null}", of: entity)
        step.reply = .nothing
    }

    private func changeDynamic(_ change: String, of entity: Resource.Entity) throws {
        guard let place = entity.set.type.dynamicProperty else { throw ODataError.absentEntity(entity.set.names.wire) }
        let (entity, current) = try admitPart(entity)
        var bag = "{}"
        if case .string(let stored) = current.values[place] { bag = stored }
        let changed = Value.string(StructuredText.merged(bag, with: change, removesNull: true) ?? change)
        try write(entity.set).checkChange(of: place, to: changed)
        try self.change(entity, [place: changed], current)
    }

    /// PUT of `/$value`: the text of a value, or the bytes of a binary one or a stream.
    func putValue(_ place: Int, of entity: Resource.Entity) throws {
        let property = entity.set.type.properties[place]
        // Who may not change it leaves no file behind.
        let (entity, current) = try admitPart(entity)
        var values: [Int: Value] = [:]
        if property.type == .binary || property.stream != nil {
            values[place] = try write(entity.set).content(call.body, of: property)
            if let type = property.stream?.contentTypeProperty {
                values[type] = .string(call.fields[.contentType] ?? "application/octet-stream")
            }
        } else {
            try checkText()
            guard property.structure == nil else {
                throw ReadHandler.notAllowed("\(property.names.wire) has no raw value.")
            }
            values[place] = try rawValue(property)
        }
        try write(entity.set).checkChange(of: place, to: values[place] ?? .null)
        try change(entity, values, current)
        step.reply = .nothing
    }

    /// A raw value is text, in UTF-8 where nothing else is said.
    private func checkText() throws(ODataError) {
        let parts = (call.fields[.contentType] ?? "text/plain").lowercased().split(separator: ";").map { part in
            part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        }
        guard parts.first == "text/plain" else {
            throw ODataError(.unsupportedMediaType, "A raw value is text/plain.", target: "Content-Type")
        }
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
        guard charset.map({ ["utf-8", "us-ascii"].contains($0) }) ?? true else {
            throw ODataError(.unsupportedMediaType, "A raw value is text in UTF-8.", target: "Content-Type")
        }
    }

    private func rawValue(_ property: Property) throws(ODataError) -> Value {
        guard let text = String(validating: call.body, as: UTF8.self) else {
            throw ODataError(
                .invalidValue,
                "The value of \(property.names.wire) is not UTF-8.",
                target: property.names.wire
            )
        }
        var value = property.type == .string ? Value.string(text) : Value(text: text, as: property.type)
        if let name = property.enumeration {
            value = core.planner.model[enumeration: name]?.value(of: text).map(Value.integer)
        }
        guard let value else {
            throw ODataError(
                .invalidValue,
                "The value of \(property.names.wire) is no \(property.type.rawValue).",
                target: property.names.wire
            )
        }
        return value
    }

    /// DELETE of a property: null, or no items.
    func clear(_ place: Int, of entity: Resource.Entity) throws {
        let (entity, current) = try admitPart(entity)
        var value = Value.null
        if case .collection? = entity.set.type.properties[place].structure { value = .string("[]") }
        try write(entity.set).checkChange(of: place, to: value)
        try change(entity, [place: value], current)
        step.reply = .nothing
    }

    /// POST to a collection of values: one more item.
    func append(to place: Int, of entity: Resource.Entity) throws {
        let property = entity.set.type.properties[place]
        guard case .collection? = property.structure else {
            throw ReadHandler.notAllowed("POST adds items to collections; \(property.names.wire) is none.")
        }
        try write(entity.set).checkJSON()
        let item = try StructuredText.item(of: property, in: call.body, model: core.planner.model)
        let (entity, current) = try admitPart(entity)
        var stored = "[]"
        if case .string(let text) = current.values[place] { stored = text }
        guard let text = StructuredText.inserting(item, into: stored, at: call.options.index) else {
            throw ODataError(.invalidQueryOption, "There is no such place in \(property.names.wire).", target: "$index")
        }
        try write(entity.set).checkChange(of: place, to: .string(text))
        try change(entity, [place: .string(text)], current)
    }

    /// The row that holds a part, which must be there.
    func admitPart(_ entity: Resource.Entity) throws -> (Resource.Entity, StoredEntity) {
        var holder = entity
        holder.isAddressedByKey = false
        let (found, current) = try admit(.update, .entity(holder))
        guard let current else { throw ODataError.absentEntity(entity.set.names.wire) }
        return (found, current)
    }

    func change(_ entity: Resource.Entity, _ values: [Int: Value], _ current: StoredEntity) throws {
        try rows.update(entity, values, current: current)
        step.effect = .updated
        step.reply = .resource
    }

    // MARK: References

    /// The reference in the body of a request to `$ref`.
    func reference() throws(ODataError) -> String {
        guard case .one(let id) = try references() else {
            throw ODataError(.invalidBody, "The body is one reference: {\"@id\":…}.", target: "@id")
        }
        return id
    }

    func references() throws(ODataError) -> ReferenceBody {
        try ReferenceBody.read(call.body)
    }
}

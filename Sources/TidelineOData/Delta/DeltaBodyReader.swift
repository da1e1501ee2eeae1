// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reads the delta payload of a PATCH to an entity set, in the forms of 4.0 and 4.01.
public struct DeltaBodyReader {
    private let model: EntityModel
    private let set: EntitySet
    private let version: ODataVersion

    /// - Parameter set: the set that the request is sent to: entities without a context of their own are in it.
    public init(model: EntityModel, set: EntitySet, version: ODataVersion = .v401) {
        self.model = model
        self.set = set
        self.version = version
    }

    /// - Parameters:
    ///   - limit: the most items.
    ///   - continuesOnError: whether a change that cannot be read is told as ``DeltaBody/Item/unreadable(_:)`` where it is
    ///     well-formed JSON.
    /// - Throws: what EntityBodyReader/read(_:)-([UInt8]) throws; `InvalidBody` when it is no delta; `TooComplex`.
    public func read(
        _ body: [UInt8],
        limit: Int = 10_000,
        continuesOnError: Bool = false
    ) throws(ODataError) -> DeltaBody {
        try JSONReader.read(body[...]) { reader throws(ODataError) in
            guard try reader.kind() == .object else {
                throw ODataError(.invalidBody, "The body is no delta.", at: reader.offset)
            }
            var result: DeltaBody?
            var readers: [String: EntityBodyReader] = [:]
            try reader.beginObject()
            var isFirst = true
            while let token = try reader.nextName(&isFirst) {
                switch ControlName(try reader.string(token)) {
                case .plain("value") where result == nil:
                    guard try reader.kind() == .array else {
                        throw ODataError(.invalidBody, "value is no array.", target: "value", at: reader.offset)
                    }
                    var delta = DeltaBody()
                    try reader.beginArray()
                    var isFirstItem = true
                    while try reader.nextElement(&isFirstItem) {
                        guard delta.items.count < limit else {
                            throw ODataError(.tooComplex, "The delta has more than \(limit) changes.")
                        }
                        delta.items.append(
                            continuesOnError ? try itemOrError(&reader, &readers) : try item(&reader, &readers)
                        )
                    }
                    result = delta
                case .control, .annotation: try reader.skipValue()
                case .plain(let name):
                    throw ODataError(.invalidBody, "A delta has no \(name.prefix(128)).", target: "value")
                }
            }
            guard let result else { throw ODataError(.invalidBody, "The delta has no value.", target: "value") }
            return result
        }
    }

    /// - Parameter readers: those of the sets that there were entities of, by the names of the sets.
    private func item(
        _ reader: inout JSONReader,
        _ readers: inout [String: EntityBodyReader]
    ) throws(ODataError) -> DeltaBody.Item {
        let (form, target) = try form(reader)
        switch form {
        case .addedLink: return .addedLink(try link(&reader))
        case .deletedLink: return .deletedLink(try link(&reader))
        case .removed: return .entity(set: target.names.wire, try removed(&reader))
        case .entity: break
        }
        let name = target.names.wire
        if let entities = readers[name] { return .entity(set: name, try entities.entity(&reader)) }
        let entities = EntityBodyReader(type: target.type, model: model, version: version)
        readers[name] = entities
        return .entity(set: name, try entities.entity(&reader))
    }

    private enum Form { case entity, removed, addedLink, deletedLink }

    /// What the change at hand is, and of which set, by its context.
    private func form(_ reader: JSONReader) throws(ODataError) -> (Form, EntitySet) {
        var peek = reader
        let context = try self.context(&peek)
        let fragment = context.flatMap { $0.split(separator: "#").last.map(String.init) } ?? ""
        let parts = fragment.split(separator: "/")
        switch parts.last {
        case "$link": return (.addedLink, set)
        case "$deletedLink": return (.deletedLink, set)
        default: break
        }
        var target = set
        if let name = parts.first?.prefix(while: { $0 != "(" }), !name.isEmpty, name != "$delta" {
            guard let other = model[named: String(name)] else {
                throw ODataError(.invalidBody, "There is no entity set \(name.prefix(128)).", target: "@context")
            }
            target = other
        }
        return (parts.last == "$deletedEntity" ? .removed : .entity, target)
    }

    /// The change at hand, or why it cannot be read.
    private func itemOrError(
        _ reader: inout JSONReader,
        _ readers: inout [String: EntityBodyReader]
    ) throws(ODataError) -> DeltaBody.Item {
        var attempt = reader
        do throws(ODataError) {
            let item = try item(&attempt, &readers)
            reader = attempt
            return item
        } catch {
            guard try reader.kind() == .object else { throw error }
            guard let (form, target) = try? form(reader) else {
                try reader.skipValue()
                return .unreadable(set: set.names.wire, EntityBody(), error)
            }
            switch form {
            case .entity, .removed:
                var body = try identification(&reader, of: target)
                if form == .removed { body.removal = .deleted }
                return .unreadable(set: target.names.wire, body, error)
            case .addedLink, .deletedLink:
                // A link without a source, which does not exist.
                let texts = try texts(&reader)
                let link = DeltaBody.Link(source: texts["source"] ?? "", relationship: "", target: nil)
                return form == .addedLink ? .addedLink(link) : .deletedLink(link)
            }
        }
    }

    /// What tells which entity of a set an object is of, though something else in it cannot be read.
    private func identification(_ reader: inout JSONReader, of set: EntitySet) throws(ODataError) -> EntityBody {
        var body = EntityBody()
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            let name = ControlName(try reader.string(token))
            if name == .control("removed") { body.removal = .deleted }
            let kind = try reader.kind()
            let isText = kind == .string
            guard isText || kind == .number else {
                try reader.skipValue()
                continue
            }
            let text: String
            if isText {
                text = try reader.stringValue()
            } else {
                text = String(decoding: reader.copy(try reader.skipValueRange()), as: UTF8.self)
            }
            switch name {
            case .control("id") where isText: body.id = text
            case .control("Core.ContentID") where isText, .control("Org.OData.Core.V1.ContentID") where isText:
                body.contentID = text
            case .plain(let name):
                guard let place = set.type.propertyIndex(wire: name), set.type.key.contains(place),
                    let value = Value(text: text, as: set.type.properties[place].type)
                else { continue }
                body.assignments.append(.init(property: place, value: value))
            default: continue
            }
        }
        return body
    }

    private func context(_ reader: inout JSONReader) throws(ODataError) -> String? {
        guard try reader.kind() == .object else {
            throw ODataError(.invalidBody, "A change of the delta is no object.", at: reader.offset)
        }
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            if ControlName(try reader.string(token)) == .control("context") { return try reader.stringValue() }
            try reader.skipValue()
        }
        return nil
    }

    /// The texts of the members of an object.
    private func texts(_ reader: inout JSONReader) throws(ODataError) -> [String: String] {
        var texts: [String: String] = [:]
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            let name = try reader.string(token)
            if try reader.kind() == .string {
                texts[name] = try reader.stringValue()
            } else {
                try reader.skipValue()
            }
        }
        return texts
    }

    /// `{"@odata.context":"#Orders/$deletedEntity","id":"Orders(2)","reason":"deleted"}`, the form of 4.0.
    private func removed(_ reader: inout JSONReader) throws(ODataError) -> EntityBody {
        let texts = try texts(&reader)
        var body = EntityBody()
        body.id = texts["id"] ?? texts["@id"] ?? texts["@odata.id"]
        guard body.id != nil else { throw ODataError(.invalidBody, "A removed entity has no id.", target: "id") }
        body.removal = texts["reason"].flatMap { EntityBody.Removal(rawValue: $0) } ?? .deleted
        return body
    }

    private func link(_ reader: inout JSONReader) throws(ODataError) -> DeltaBody.Link {
        let texts = try texts(&reader)
        guard let source = texts["source"], let relationship = texts["relationship"] else {
            throw ODataError(.invalidBody, "A link has no source or no relationship.", target: "source")
        }
        return DeltaBody.Link(source: source, relationship: relationship, target: texts["target"])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension EntityBodyReader {
    // MARK: References

    func bind(
        _ place: Int,
        _ references: [String],
        _ result: inout EntityBody,
        _ offset: Int
    ) throws(ODataError) {
        try once(place, result, offset)
        result.binds.append(EntityBody.Bind(navigation: place, references: references))
    }

    private func once(_ place: Int, _ result: EntityBody, _ offset: Int) throws(ODataError) {
        let name = type.navigationProperties[place].names.wire
        guard !result.binds.contains(where: { $0.navigation == place }),
            !result.nested.contains(where: { $0.navigation == place })
        else {
            throw ODataError(.invalidBody, "\(name) is bound twice.", target: name, at: offset)
        }
    }

    /// The value of `Nav@odata.bind`: a reference, several of them, or null.
    func references(_ name: String, _ reader: inout JSONReader) throws(ODataError) -> [String] {
        let isCollection = type.navigationIndex(wire: name).map { type.navigationProperties[$0].isCollection } ?? false
        switch try reader.kind() {
        case .string where !isCollection: return [try reader.stringValue()]
        case .null where !isCollection:
            try reader.null()
            return []
        case .array where isCollection:
            var references: [String] = []
            try reader.beginArray()
            var isFirst = true
            while try reader.nextElement(&isFirst) { references.append(try reader.stringValue()) }
            return references
        default:
            throw ODataError(
                .invalidValue,
                "\(name) is not bound to what it leads to.",
                target: name,
                at: reader.offset
            )
        }
    }

    // MARK: Entities in entities

    /// The value of `Nav` or `Nav@delta`: entities and references.
    ///
    /// References alone to what is no collection are as good as a bind.
    func nested(
        _ name: String,
        _ place: Int,
        isDelta: Bool,
        _ reader: inout JSONReader,
        _ result: inout EntityBody
    ) throws(ODataError) {
        let navigation = type.navigationProperties[place]
        let start = reader.offset
        try once(place, result, start)
        switch try reader.kind() {
        case .null where !navigation.isCollection && !isDelta:
            try reader.null()
            result.binds.append(EntityBody.Bind(navigation: place, references: []))
        case .object where !navigation.isCollection && !isDelta:
            let body = try inner(navigation, &reader)
            if body.isReference, let id = body.id {
                result.binds.append(EntityBody.Bind(navigation: place, references: [id]))
            } else {
                result.nested.append(RelatedEntities(navigation: place, form: .single, members: [body]))
            }
        case .array where navigation.isCollection:
            var members: [EntityBody] = []
            try reader.beginArray()
            var isFirst = true
            while try reader.nextElement(&isFirst) { members.append(try inner(navigation, &reader)) }
            guard isDelta || members.allSatisfy({ $0.removal == nil }) else {
                throw ODataError(
                    .invalidBody,
                    "Removed entities stand in \(name)@delta only.",
                    target: name,
                    at: start
                )
            }
            result.nested.append(
                RelatedEntities(navigation: place, form: isDelta ? .delta : .whole, members: members)
            )
        default:
            throw ODataError(.invalidValue, "\(name) is not what it leads to.", target: name, at: reader.offset)
        }
    }

    private func inner(_ navigation: NavigationProperty, _ reader: inout JSONReader) throws(ODataError) -> EntityBody {
        guard try reader.kind() == .object else {
            throw ODataError(
                .invalidValue,
                "\(navigation.names.wire) holds what is no entity.",
                target: navigation.names.wire,
                at: reader.offset
            )
        }
        guard depth < Self.depthLimit else {
            throw ODataError(.tooComplex, "The body nests entities deeper than \(Self.depthLimit) levels.")
        }
        guard let model, let target = model[set: navigation.targetSet] else {
            return try reference(navigation.names.wire, &reader)
        }
        return try EntityBodyReader(
            type: target.type,
            model: model,
            version: version,
            depth: depth + 1,
            passesRules: passesRules
        ).entity(&reader)
    }

    /// A reference where nothing else can be read.
    private func reference(_ name: String, _ reader: inout JSONReader) throws(ODataError) -> EntityBody {
        let start = reader.offset
        var body = EntityBody()
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            switch ControlName(try reader.string(token)) {
            case .control("id") where body.id == nil: body.id = try reader.stringValue()
            case .control, .annotation: try reader.skipValue()
            case .plain:
                throw ODataError(
                    .notSupported,
                    "Entities inside entities are not supported here: \(name) takes references only.",
                    target: name,
                    at: start
                )
            }
        }
        guard body.id != nil else {
            throw ODataError(.notSupported, "\(name) needs the @id of an existing entity.", target: name, at: start)
        }
        return body
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Turns a body into the values of a row: binds looked up, types and lengths checked, defaults filled in.
struct EntityWrite {
    let core: Core
    let writer: any StoreWriter
    let call: Call
    let set: EntitySet
    var type: EntityType { self.set.type }

    init(core: Core, writer: any StoreWriter, call: Call, set: EntitySet) {
        self.core = core
        self.writer = writer
        self.call = call
        self.set = set
    }

    func body() throws(ODataError) -> EntityBody {
        try checkJSON()
        if let body = try ReadBody.entity(call, of: set) { return body }
        return try reader().read(call.body[...])
    }

    func reader() throws(ODataError) -> EntityBodyReader {
        Self.reader(of: set, core.planner.model, try ODataVersion.ofBody(call.fields))
    }

    static func reader(of set: EntitySet, _ model: EntityModel, _ version: ODataVersion) -> EntityBodyReader {
        EntityBodyReader(type: set.type, model: model, version: version, passesRules: true)
    }

    /// Makes sure that the body is JSON, as far as its content type says.
    func checkJSON() throws(ODataError) {
        if let contentType = call.fields[.contentType]?.lowercased(), !contentType.hasPrefix("application/json") {
            throw ODataError(.unsupportedMediaType, "The body is not application/json.", target: "Content-Type")
        }
    }

    /// The values that a body gives, by place; what the database makes and what is not for writing is left out.
    ///
    /// - Parameters:
    ///   - current: the row as it is; `nil` for an insert, where key properties count.
    ///   - replaces: whether structured values replace those that are there, as PUT does.
    func values(of body: EntityBody, current: StoredEntity?, replaces: Bool = false, cast: String? = nil) throws
        -> [Int: Value]
    {
        let isInsert = current == nil
        // Once: a type is copied with all that it holds.
        let type = type
        let named = body.type ?? cast ?? (isInsert ? discriminated(body) : nil)
        let rowType = try RowType(named, in: type, current: current)
        var values = rowType.values
        values.reserveCapacity(max(body.assignments.count, type.properties.count))
        var failures = RuleFailures()
        for assignment in body.assignments {
            let place = assignment.property
            if !type.properties[place].isWritable || type.properties[place].isLocalOnly { continue }
            if !isInsert, type.properties[place].isImmutable || type.key.contains(place) { continue }
            if type.isCounted(place) { continue }
            // A default that is computed stands in for a null, which many clients send for what they do not know.
            if isInsert, assignment.value.isNull, type.properties[place].generation == .onInsert { continue }
            if place == type.discriminator, values[place] != nil || !isInsert { continue }
            guard rowType.has(type.properties[place].declaringType) else {
                let name = type.properties[place].names.wire
                throw ODataError(.unknownProperty, "An entity of this type has no property \(name).", target: name)
            }
            if type.properties[place].stream?.isFile == true {
                let name = type.properties[place].names.wire
                throw ODataError(
                    .invalidBody,
                    "\(name) is a stream: its content goes to its own address.",
                    target: name
                )
            }
            let value = merged(assignment, current, replaces)
            failures.check(value, place, of: type)
            values[place] = value
        }
        if !failures.isEmpty {
            if isInsert { failures.add(missing(values, binds: body), of: type) }
            try failures.raise()
        }
        if let media = body.media, let place = type.mediaProperty {
            values[place] = try content(media, of: type.properties[place])
        }
        for bind in body.binds where type.navigationProperties[bind.navigation].isDependent {
            for (place, value) in try self.values(of: bind) { try tie(place, value, &values, isInsert: isInsert) }
        }
        return values
    }

    /// The derived type that a new entity's discriminator says, for clients that know it as a plain property.
    private func discriminated(_ body: EntityBody) -> String? {
        guard let place = type.discriminator,
            let given = body.assignments.first(where: { $0.property == place })?.value
        else { return nil }
        return type.derivedTypes.first { $0.discriminatorValue == given }?.names.wire
    }

    /// The value that stands for the content of a stream: its bytes, or the name of the file that they are put into.
    ///
    /// - Throws: `NotSupported` where the service has no files.
    func content(_ bytes: [UInt8], of property: Property) throws -> Value {
        guard property.stream?.isFile == true else { return .binary(bytes) }
        guard let files = core.files else {
            throw ODataError(.notSupported, "Streams in files are not taken here.", target: property.names.wire)
        }
        if let upload = call.upload { return .string(try files.adopt(upload)) }
        let upload = try files.begin(limit: core.domain.limits.fileBytes)
        guard try upload.append(bytes) else {
            throw ODataError(service: ServiceCode.tooLarge, "The content is larger than \(upload.limit) bytes.")
        }
        return .string(try files.adopt(upload))
    }

    /// Puts in a value of a foreign key that a reference stands for.
    func tie(_ place: Int, _ value: Value, _ values: inout [Int: Value], isInsert: Bool) throws(ODataError) {
        // At an update the reference counts, and not what the body has for the property beside it.
        guard !isInsert || values[place].map({ $0 == value }) ?? true else {
            let name = type.properties[place].names.wire
            throw ODataError(.invalidBody, "\(name) is given twice, as a value and by a reference.", target: name)
        }
        if type.key.contains(place), !isInsert { return }
        try check(value, place)
        values[place] = value
    }

    /// The value to store: PATCH puts the members of an object into the one that is there.
    private func merged(_ assignment: EntityBody.Assignment, _ current: StoredEntity?, _ replaces: Bool) -> Value {
        guard assignment.merges, case .string(let change) = assignment.value else { return assignment.value }
        let isDynamic = type.properties[assignment.property].structure == .dynamic
        if !replaces, case .string(let stored)? = current?.values[assignment.property],
            let text = StructuredText.merged(stored, with: change, removesNull: isDynamic, members: members)
        {
            return .string(text)
        }
        return .string(isDynamic ? StructuredText.withoutNulls(change) : change)
    }

    /// The members that a complex type has; `nil` for an open one.
    private func members(of type: String) -> Set<String>? {
        var names: Set<String> = []
        var next = type.split(whereSeparator: { $0 == "." || $0 == "#" }).last.map(String.init)
        while let name = next, let complex = core.planner.model[complexType: name] {
            if complex.isOpen { return nil }
            names.formUnion(complex.properties.map(\.names.wire))
            next = complex.baseType
        }
        return names
    }

    /// The defaults of what an insert or a PUT does not give.
    ///
    /// - Throws: `RequiredValue` for a property that must have a value and gets none.
    func complete(_ values: inout [Int: Value], isInsert: Bool, only places: Set<Int>? = nil) throws(ODataError) {
        var failures = RuleFailures()
        let type = type
        for place in type.properties.indices where values[place] == nil {
            let property = type.properties[place]
            if let places, !places.contains(place) { continue }
            if property.generation != .none || property.isLocalOnly || property.isReadOnly { continue }
            if !isInsert, type.key.contains(place) || property.isImmutable || property.stream != nil { continue }
            if !isInsert, place == type.discriminator { continue }
            if let value = property.defaultValue {
                // At an insert the database's own default applies, which is what the model's was read from.
                if !isInsert { values[place] = value }
            } else if !property.isNullable {
                if let empty = empty(place) {
                    values[place] = empty
                    continue
                }
                // A column of another derived type holds nothing here.
                if property.declaringType != nil { continue }
                failures.add([place], of: type)
            } else if !isInsert {
                values[place] = .null
            }
        }
        try failures.raise()
    }

    /// What a property that takes no null holds where nothing is given: no items, or no properties with names of their own.
    private func empty(_ place: Int) -> Value? {
        if case .collection? = type.properties[place].structure { return .string("[]") }
        return place == type.dynamicProperty ? .string("{}") : nil
    }

    /// What a new entity lacks, beside what is wrong with it, as far as the body alone can tell.
    private func missing(_ values: [Int: Value], binds body: EntityBody) -> [Int] {
        let tied = (body.binds.map(\.navigation) + body.nested.map(\.navigation)).flatMap {
            type.navigationProperties[$0].constraints.map(\.source)
        }
        return type.properties.indices.filter { place in
            let property = type.properties[place]
            return values[place] == nil && !property.isNullable && property.defaultValue == nil
                && property.generation == .none && !property.isLocalOnly && !property.isReadOnly && empty(place) == nil
                && property.declaringType == nil && !type.key.contains(place) && !tied.contains(place)
                && place != type.discriminator && place != type.mediaProperty
        }
    }

    private func check(_ value: Value, _ place: Int) throws(ODataError) {
        var failures = RuleFailures()
        failures.check(value, place, of: type)
        try failures.raise()
    }

    /// Makes sure that a new row may have the key that its URL gives.
    func checkKey(_ key: Key) throws(ODataError) {
        var failures = RuleFailures()
        for (place, value) in zip(type.key, key.values) { failures.check(value, place, of: type) }
        try failures.raise()
    }

    /// Makes sure that a property may be changed by itself, to that value.
    func checkChange(of place: Int, to value: Value) throws(ODataError) {
        let property = type.properties[place]
        guard !type.key.contains(place), property.generation != .always, !property.isLocalOnly, !property.isReadOnly,
            !property.isImmutable
        else {
            let name = property.names.wire
            throw ODataError(.invalidBody, "\(name) cannot be changed.", target: name)
        }
        try check(value, place)
    }
}

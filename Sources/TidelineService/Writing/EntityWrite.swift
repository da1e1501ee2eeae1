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
    private var type: EntityType { self.set.type }

    init(core: Core, writer: any StoreWriter, call: Call, set: EntitySet) {
        self.core = core
        self.writer = writer
        self.call = call
        self.set = set
    }

    func body() throws(ODataError) -> EntityBody {
        if let contentType = call.fields[.contentType]?.lowercased(), !contentType.hasPrefix("application/json") {
            throw ODataError(.unsupportedMediaType, "The body is not application/json.", target: "Content-Type")
        }
        return try EntityBodyReader(type: type, version: try ODataVersion.ofBody(call.fields)).read(call.body[...])
    }

    /// The values that a body gives, by place; what the database makes and what is not for writing is left out.
    ///
    /// - Parameter isInsert: whether key properties count.
    func values(of body: EntityBody, isInsert: Bool) throws -> [Int: Value] {
        var values: [Int: Value] = [:]
        for assignment in body.assignments {
            let property = type.properties[assignment.property]
            if property.generation == .always || property.isLocalOnly { continue }
            if property.generation == .onInsert || type.key.contains(assignment.property), !isInsert { continue }
            if property.generation == .onInsert, type.hasGeneratedKey, type.key.contains(assignment.property) {
                continue
            }
            try check(assignment.value, property)
            values[assignment.property] = assignment.value
        }
        for bind in body.binds {
            for (place, value) in try self.values(of: bind) {
                guard values[place].map({ $0 == value }) ?? true else {
                    let name = type.properties[place].names.wire
                    throw ODataError(
                        .invalidBody,
                        "\(name) is given twice, as a value and by a reference.",
                        target: name
                    )
                }
                if type.key.contains(place), !isInsert { continue }
                try check(value, type.properties[place])
                values[place] = value
            }
        }
        return values
    }

    /// The defaults of what an insert or a PUT does not give.
    ///
    /// - Throws: `RequiredValue` for a property that must have a value and gets none.
    func complete(_ values: inout [Int: Value], isInsert: Bool) throws(ODataError) {
        for (place, property) in type.properties.enumerated() where values[place] == nil {
            if property.generation != .none || property.isLocalOnly { continue }
            if type.key.contains(place), !isInsert { continue }
            if let value = property.defaultValue {
                // At an insert the database's own default applies, which is what the model's was read from.
                if !isInsert { values[place] = value }
            } else if !property.isNullable {
                throw required(property)
            } else if !isInsert {
                values[place] = .null
            }
        }
    }

    private func required(_ property: Property) -> ODataError {
        let name = property.names.wire
        return ODataError(service: ServiceCode.requiredValue, "\(name) must have a value.", target: name)
    }

    private func check(_ value: Value, _ property: Property) throws(ODataError) {
        let name = property.names.wire
        switch value {
        case .null:
            if !property.isNullable { throw required(property) }
        case .string(let text):
            if let limit = property.maxLength, text.unicodeScalars.count > limit {
                throw ODataError(.invalidValue, "\(name) is longer than \(limit) characters.", target: name)
            }
        case .binary(let bytes):
            if let limit = property.maxLength, bytes.count > limit {
                throw ODataError(.invalidValue, "\(name) is longer than \(limit) bytes.", target: name)
            }
        case .decimal(let number):
            let number = number.normalized
            if let scale = property.scale, number.scale > scale {
                throw ODataError(.invalidValue, "\(name) has more than \(scale) digits after the point.", target: name)
            }
            let digits = String(number.coefficient.magnitude).utf8.count - number.scale
            if let precision = property.precision, max(digits, 0) + (property.scale ?? number.scale) > precision,
                number.coefficient != 0
            {
                throw ODataError(.invalidValue, "\(name) has more than \(precision) digits.", target: name)
            }
        default: break
        }
    }

    /// Makes sure that a property may be changed by itself, to that value.
    func checkChange(of place: Int, to value: Value) throws(ODataError) {
        let property = type.properties[place]
        guard !type.key.contains(place), property.generation == .none, !property.isLocalOnly else {
            let name = property.names.wire
            throw ODataError(.invalidBody, "\(name) cannot be changed.", target: name)
        }
        try check(value, property)
    }

    /// The foreign key that a reference stands for.
    ///
    /// An entity that the user may not see is as good as none.
    private func values(of bind: EntityBody.Bind) throws -> [Int: Value] {
        let navigation = type.navigationProperties[bind.navigation]
        guard navigation.isDependent else {
            throw ODataError(
                .notSupported,
                "\(navigation.names.wire) can only be bound from its other end, which holds the foreign key.",
                target: navigation.names.wire
            )
        }
        guard let text = bind.references.first else {
            return Dictionary(
                navigation.constraints.map { ($0.source, .null) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        return try values(of: navigation, referringTo: text)
    }

    /// The foreign key for a reference such as `Clients(5)`, an absolute address, or `$1`.
    func values(of navigation: NavigationProperty, referringTo text: String) throws -> [Int: Value] {
        let missing = ODataError(
            service: ServiceCode.missingReference,
            "The entity that \(navigation.names.wire) refers to does not exist.",
            target: navigation.names.wire
        )
        let resolver = Resolver(planner: core.planner, reader: writer, call: call)
        guard let path = try? Address(call.root).relative(text),
            let target = try? RequestTarget(parsing: path),
            case .entity(let entity) = try absent(missing, { try resolver.resolve(target.path) }),
            entity.set.names.wire == navigation.targetSet
        else { throw missing }
        guard let stored = try absent(missing, { try resolver.visible(entity) }) ?? nil else { throw missing }
        var values: [Int: Value] = [:]
        for constraint in navigation.constraints { values[constraint.source] = stored.values[constraint.target] }
        return values
    }

    /// Runs `body`; an error of the protocol means that nothing is there.
    private func absent<Result>(_ missing: ODataError, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch is ODataError {
            throw missing
        }
    }

    /// Makes sure that each foreign key that a change sets leads to an entity that the user can see.
    ///
    /// Without this a user could learn which keys exist by writing them into a foreign key: the database accepts those
    /// that are there, hidden or not. Where every row is visible the database's own check is enough.
    func checkReferences(_ values: [Int: Value], current: StoredEntity?) throws {
        for navigation in type.navigationProperties where navigation.isDependent {
            guard
                navigation.constraints.contains(where: { constraint in
                    values[constraint.source].map { $0 != current?.values[constraint.source] } ?? false
                }), let target = core.planner.model[set: navigation.targetSet]
            else { continue }
            let access = core.planner.policies.access(.read, to: target.names.wire, for: call.user)
            if access == .all { continue }
            let parts = navigation.constraints.map { values[$0.source] ?? current?.values[$0.source] ?? .null }
            if parts.contains(.null) { continue }
            let condition = TypedExpression.equal(navigation.constraints.map(\.target), of: target.type, to: parts)
            let plan = ReadPlan(
                model: core.planner.model,
                set: target,
                filter: condition.and(access.condition),
                user: call.user
            )
            guard try access != .none && writer.count(plan) > 0 else {
                throw ODataError(
                    StorageError(
                        .missingReference,
                        set: set.names.wire,
                        properties: navigation.constraints.map { type.properties[$0.source].names.wire },
                        message: ""
                    )
                )
            }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// What the references of a body lead to.
extension EntityWrite {
    /// The foreign key that a reference stands for.
    ///
    /// An entity that the user may not see is as good as none.
    func values(of bind: EntityBody.Bind) throws -> [Int: Value] {
        let navigation = type.navigationProperties[bind.navigation]
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
        guard let entity = try self.entity(text, in: navigation.targetSet, for: navigation.names.wire) else {
            throw missing
        }
        guard let stored = try absent(missing, { try resolver.visible(entity) }) ?? nil else { throw missing }
        var values: [Int: Value] = [:]
        for constraint in navigation.constraints { values[constraint.source] = stored.values[constraint.target] }
        // It is there, and nothing can refer to it: a null in what it is referred to by refers to nothing.
        guard !values.values.contains(.null) else {
            let names = navigation.constraints.compactMap { constraint in
                core.planner.model[set: navigation.targetSet]?.type.properties[constraint.target].names.wire
            }
            throw ODataError(
                service: ServiceCode.missingReference,
                "\(navigation.names.wire) goes by \(names.joined(separator: ", ")), which has no value there.",
                target: navigation.names.wire
            )
        }
        return values
    }

    /// The entity that a reference names, there or not; `nil` for a reference to anything but an entity.
    ///
    /// - Parameter place: what the reference stands in: a navigation property, or `@id`.
    /// - Throws: `InvalidBody` for an entity of another set: no such reference can be true, whatever the sets hold.
    ///
    /// Source: OData JSON Format 4.01, section 8.5.
    func entity(_ text: String, in set: String, for place: String) throws -> Resource.Entity? {
        let missing = ODataError(service: ServiceCode.missingReference, "The reference leads nowhere.")
        let resolver = Resolver(planner: core.planner, reader: writer, call: call)
        guard let path = try? Address(call.root).relative(text), let target = try? RequestTarget(parsing: path),
            case .entity(let entity)? = try? absent(missing, { try resolver.resolve(target.path) })
        else { return nil }
        guard entity.set.names.wire == set else {
            throw ODataError(
                .invalidBody,
                "\(place) refers to an entity of \(set), and the reference names one of \(entity.set.names.wire).",
                target: place
            )
        }
        return entity
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
    /// that are there, hidden or not. Where every row is visible the database's own check is enough, but for a key that it
    /// gave again: ``KnownKeys``.
    func checkReferences(_ values: [Int: Value], current: StoredEntity?) throws {
        let type = type
        for navigation in type.navigationProperties where navigation.isDependent {
            guard
                navigation.constraints.contains(where: { constraint in
                    values[constraint.source].map { $0 != current?.values[constraint.source] } ?? false
                }), let target = core.planner.model[set: navigation.targetSet]
            else { continue }
            let parts = navigation.constraints.map { values[$0.source] ?? current?.values[$0.source] ?? .null }
            if parts.contains(.null) { continue }
            if let known = call.known {
                try KnownKeys(model: core.planner.model, reader: writer, known: known).check(navigation, of: set, parts)
            }
            let access = core.planner.policies.access(.read, to: target.names.wire, for: call.user)
            if access == .all { continue }
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

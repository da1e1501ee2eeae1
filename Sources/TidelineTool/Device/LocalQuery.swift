// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// A resource path with its options, planned against the model of a store.
///
///     Orders?$filter=…      Orders(42)      Orders(42)/Lines?$top=5      Orders/$count?$filter=…
struct LocalQuery {
    /// What is asked for.
    enum Kind {
        case rows
        /// One entity: its absence is a failure.
        case entity
        case count
    }

    private(set) var plan: ReadPlan
    private(set) var shape: RowShape
    private(set) var kind: Kind

    /// - Parameters:
    ///   - text: as a person writes it: the options are not percent-encoded, but may be.
    ///   - holds: whether the store holds a set, by its name: `$expand=*` is for those.
    init(_ text: String, model: EntityModel, holds: (String) -> Bool = { _ in true }) throws {
        let target = try RequestTarget(parsing: Self.encoded(text))
        guard case .name(let name, let predicate)? = target.path.segments.first else {
            throw CommandFailure("\(text) names no entity set.", next: "Write Set?$filter=…&$orderby=…&$top=…")
        }
        var set = try SetName.find(name, in: model)
        var restriction: TypedExpression?
        var kind = Kind.rows
        if let predicate {
            restriction = Self.equal(try predicate.key(for: set.type), set)
            kind = .entity
        }
        for segment in target.path.segments.dropFirst() {
            switch segment {
            case .count where kind == .rows: kind = .count
            case .name(let name, key: nil) where kind == .entity:
                let step = try Self.step(name, from: set, predicate, model)
                (set, restriction, kind) = (step.set, step.restriction, step.isCollection ? .rows : .entity)
            default:
                throw CommandFailure(
                    "\(text) goes further than a local query can.",
                    next: "Ask for the set and $expand."
                )
            }
        }
        let planned = try Self.plan(target.options, set, restriction: restriction, model: model, holds, depth: 0)
        plan = planned.plan
        shape = planned.shape
        self.kind = kind
    }

    private static func encoded(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text.replacing(" ", with: "%20") }
        let query = text[text.index(after: mark)...].utf8.map { byte -> String in
            // What a person writes as it is; what is encoded already stays.
            byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "+")
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text[..<mark].replacing(" ", with: "%20") + "?" + query.joined()
    }

    /// The condition that properties have these values.
    private static func equal(_ key: Key, _ set: EntitySet, places: [Int]? = nil) -> TypedExpression {
        var condition: TypedExpression?
        for (place, value) in zip(places ?? set.type.key, key.values) {
            let type = set.type.properties[place].type
            let part = TypedExpression(
                node: .binary(
                    .equal,
                    TypedExpression(node: .path(.init(property: place)), type: type),
                    TypedExpression(node: .literal(value), type: type)
                ),
                type: .boolean
            )
            condition = condition.map { TypedExpression(node: .binary(.and, $0, part), type: .boolean) } ?? part
        }
        return condition ?? TypedExpression(node: .literal(.boolean(true)), type: .boolean)
    }

    /// From one entity over a collection navigation property, whose foreign key is the key of the entity.
    private static func step(
        _ name: String,
        from set: EntitySet,
        _ predicate: KeyPredicate?,
        _ model: EntityModel
    ) throws -> (set: EntitySet, restriction: TypedExpression, isCollection: Bool) {
        guard let place = set.type.navigationIndex(wire: name), let predicate else {
            throw SetName.noNavigation(name, in: set)
        }
        let navigation = set.type.navigationProperties[place]
        guard let target = model[set: navigation.targetSet], !navigation.isDependent else {
            throw CommandFailure("\(name) cannot be followed here.", next: "Write $expand=\(name).")
        }
        let key = try predicate.key(for: set.type)
        if let link = navigation.link {
            return (target, try tied(to: key, of: set, by: link, in: model), true)
        }
        let values = navigation.constraints.compactMap { constraint in
            set.type.key.firstIndex(of: constraint.source).map { key.values[$0] }
        }
        let restriction = equal(Key(values), target, places: navigation.constraints.map(\.target))
        return (target, restriction, navigation.isCollection)
    }

    /// The condition that an entity is tied to the one with a key: by a row of the link table that leads to both.
    private static func tied(
        to key: Key,
        of owner: EntitySet,
        by link: LinkTable,
        in model: EntityModel
    ) throws -> TypedExpression {
        let ways = model[set: link.set]?.type.navigationProperties ?? []
        guard let between = model[set: link.set], let toOwner = ways.first(where: { $0.names.wire == link.toOwner }),
            let toTarget = ways.first(where: { $0.names.wire == link.toTarget })
        else { throw CommandFailure("\(link.set) ties no entities here.") }
        func path(_ place: Int) -> TypedExpression {
            TypedExpression(node: .path(.init(property: place)), type: between.type.properties[place].type)
        }
        var parts: [TypedExpression] = []
        for pair in toOwner.constraints {
            guard let place = owner.type.key.firstIndex(of: pair.target) else {
                throw CommandFailure("\(link.set) ties by more than keys.", next: "Write $expand.")
            }
            let type = between.type.properties[pair.source].type
            let value = TypedExpression(node: .literal(key.values[place]), type: type)
            parts.append(TypedExpression(node: .binary(.equal, path(pair.source), value), type: .boolean))
        }
        for pair in toTarget.constraints {
            let end = TypedExpression(
                node: .path(.init(property: pair.target, up: 1)),
                type: between.type.properties[pair.source].type
            )
            parts.append(TypedExpression(node: .binary(.equal, path(pair.source), end), type: .boolean))
        }
        let condition = parts.dropFirst().reduce(parts[0]) {
            TypedExpression(node: .binary(.and, $0, $1), type: .boolean)
        }
        return TypedExpression(node: .lambda(.any, .set(link.set, guard: nil), condition), type: .boolean)
    }

    private static func plan(
        _ options: QueryOptions,
        _ set: EntitySet,
        restriction: TypedExpression?,
        model: EntityModel,
        _ holds: (String) -> Bool,
        depth: Int
    ) throws -> (plan: ReadPlan, shape: RowShape) {
        guard depth < 8 else { throw CommandFailure("$expand nests too deep.") }
        if let option = unanswered(options) {
            let next = ["$count": "Ask for Set/$count?$filter=…", "$format": "--json writes JSON."][option]
            throw CommandFailure("\(option) cannot be answered here.", next: next)
        }
        let checker = ExpressionChecker(model: model, set: set)
        var filter = try options.filter.map { try checker.condition($0) }
        if let restriction {
            filter = filter.map { TypedExpression(node: .binary(.and, restriction, $0), type: .boolean) } ?? restriction
        }
        let columns = try columns(options.select, set)
        var expansions: [(plan: ReadPlan.Expansion, shape: RowShape.Expansion)] = []
        for item in options.expand {
            for place in try navigations(item, set, holds) {
                let navigation = set.type.navigationProperties[place]
                guard let target = model[set: navigation.targetSet] else { continue }
                let nested = try plan(item.options, target, restriction: nil, model: model, holds, depth: depth + 1)
                expansions.append(
                    (
                        .init(navigation: place, plan: nested.plan),
                        .init(name: navigation.names.wire, isCollection: navigation.isCollection, shape: nested.shape)
                    )
                )
            }
        }
        let plan = ReadPlan(
            model: model,
            set: set,
            filter: filter,
            orderBy: try options.orderBy.map { .init(try checker.check($0.expression), isDescending: $0.isDescending) },
            skip: options.skip ?? 0,
            top: options.top,
            columns: columns,
            expansions: expansions.map(\.plan),
            includesETag: false
        )
        let shape = RowShape(set, columns: columns, expansions: expansions.map(\.shape), includesETag: false)
        return (plan, shape)
    }

    /// An option that a local query does not heed: passed over, it would be another question that is answered.
    private static func unanswered(_ options: QueryOptions) -> String? {
        let system: KeyValuePairs = [
            "$search": options.search != nil, "$compute": !options.compute.isEmpty, "$apply": options.apply != nil,
            "$levels": options.levels != nil, "$count": options.count, "$index": options.index != nil,
            "$skiptoken": options.skipToken != nil, "$deltatoken": options.deltaToken != nil, "$id": options.id != nil,
            "$format": options.format != nil, "$schemaversion": options.schemaVersion != nil,
        ]
        return system.first { $0.value }?.key ?? options.custom.keys.min()
    }

    private static func columns(_ items: [SelectItem]?, _ set: EntitySet) throws -> [Int] {
        guard let items, !items.contains(.all) else { return Array(set.type.properties.indices) }
        return try items.compactMap { item in
            guard case .property(let name) = item else {
                throw CommandFailure("\(item.text) in $select cannot be answered here.")
            }
            if let place = set.type.propertyIndex(wire: name) { return place }
            if set.type.navigationIndex(wire: name) != nil { return nil }
            throw CommandFailure("\(set.names.wire) has no property \(name).")
        }
    }

    private static func navigations(
        _ item: ExpandItem,
        _ set: EntitySet,
        _ holds: (String) -> Bool
    ) throws -> [Int] {
        guard item.content == .entities, item.prefix.isEmpty, item.cast == nil else {
            throw CommandFailure("Paths, $ref and $count inside $expand cannot be answered here.")
        }
        if item.navigation == "*" {
            let known = set.type.navigationProperties
            return known.indices.filter { holds(known[$0].targetSet) && known[$0].link.map { holds($0.set) } ?? true }
        }
        guard let place = set.type.navigationIndex(wire: item.navigation) else {
            throw SetName.noNavigation(item.navigation, in: set)
        }
        return [place]
    }
}

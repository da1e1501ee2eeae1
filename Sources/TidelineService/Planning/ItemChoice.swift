// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The options of `$select` for the JSON in a row: which items of a collection are written, and what of each object.
///
///     $select=Tags($filter=length($this) gt 1;$search=a;$orderby=$this desc;$skip=1;$top=3;$count=true)
///     $select=Lines($compute=Quantity mul Price as Total;$select=Product,Total),Address/City
///
/// Source: OData Protocol 4.01, section 11.2.5.1; OData URL Conventions 4.01, section 5.1.4.
struct ItemChoice {
    /// A value that is added to each object.
    struct Computed {
        let name: String
        /// Over an item, as the innermost scope.
        let expression: TypedExpression
    }

    /// What the options say of the items, or of the one object.
    private let computed: [Computed]
    private let condition: TypedExpression?
    private let order: [(key: TypedExpression, isDescending: Bool)]
    private let options: QueryOptions
    /// What is kept of an object, by names, with what is chosen in it; `nil` for everything.
    private let members: [String: ItemChoice?]?
    private let isCollection: Bool
    private let user: UserContext

    /// - Parameter place: the place of a property with JSON, in the entity type.
    init(
        _ options: QueryOptions,
        of place: Int,
        in set: EntitySet,
        _ planner: Planner,
        _ user: UserContext
    ) throws(ODataError) {
        let property = set.type.properties[place]
        let checker = ItemChecker(set: set, planner: planner, user: user)
        try self.init(options, property.structure, set.type.path(of: place), checker)
    }

    /// - Parameter name: the path of the property, for errors.
    init(
        _ options: QueryOptions,
        _ structure: Structure?,
        _ name: String,
        _ checker: ItemChecker
    ) throws(ODataError) {
        let element: Structure.Element
        switch structure {
        case .collection(let items, _)?: (element, isCollection) = (items, true)
        case .complex(let type)?: (element, isCollection) = (.complex(type), false)
        case .dynamic?, nil: throw ODataError(.invalidSelect, "\(name) takes no options.", target: name)
        }
        if !isCollection {
            var rest = options
            (rest.select, rest.compute, rest.expand, rest.aliases) = (nil, [], [], [:])
            guard rest == QueryOptions() else {
                throw ODataError(
                    .invalidSelect,
                    "\(name) is no collection: it takes $select and $compute.",
                    target: name
                )
            }
        }
        if let expanded = options.expand.first {
            throw ODataError(
                .invalidExpand,
                "\(name) has no navigation property \(expanded.navigation).",
                target: expanded.navigation
            )
        }
        self.options = options
        user = checker.user
        var checker = checker
        computed = try checker.compute(options.compute, on: element, name)
        condition = try options.filter.map { filter throws(ODataError) in try checker.condition(filter, on: element) }
        order = try options.orderBy.map { item throws(ODataError) in
            (try checker.key(item.expression, on: element), item.isDescending)
        }
        members = try options.select.flatMap { items throws(ODataError) in
            try checker.members(items, of: element, name)
        }
    }

    /// What is written of a text, and how many items match; `nil` for text of another kind.
    func apply(_ text: String, _ format: JSONFormat) -> (text: String, count: Int?)? {
        guard let json = JSONValue(text), let (value, count) = choose(json, format) else { return nil }
        return (value.text, count)
    }

    private func choose(_ json: JSONValue, _ format: JSONFormat) -> (value: JSONValue, count: Int?)? {
        guard isCollection else {
            guard case .object = json else { return json == .null ? (json, nil) : nil }
            return (kept(completed(json), format), nil)
        }
        guard case .array(var items) = json else { return nil }
        if !computed.isEmpty { items = items.map { completed($0) } }
        if let condition { items = items.filter { matches($0, condition) } }
        if let search = options.search { items = items.filter { Self.isFound(search, in: $0) } }
        if !order.isEmpty { items = ordered(items) }
        let count = options.count ? items.count : nil
        let chosen = items.dropFirst(options.skip ?? 0).prefix(options.top ?? .max)
        return (.array(chosen.map { kept($0, format) }), count)
    }

    // MARK: Objects

    /// An object with the computed values in it.
    private func completed(_ item: JSONValue) -> JSONValue {
        guard !computed.isEmpty, case .object(var members) = item else { return item }
        let evaluator = ExpressionEvaluator(source: EntitySource([]), user: user)
        for part in computed {
            let value = (try? evaluator.value(of: part.expression, over: item)) ?? .null
            members.append(JSONValue.Member(name: part.name, value: JSONValue(value)))
        }
        return .object(members)
    }

    /// What is written of an object; anything else as it is.
    private func kept(_ item: JSONValue, _ format: JSONFormat) -> JSONValue {
        guard case .object(let all) = item else { return item }
        var result: [JSONValue.Member] = []
        for member in all {
            guard let members else {
                append(member, to: &result, format)
                continue
            }
            guard let entry = members[member.name] else {
                // What is said of a member that is there.
                let owner = member.name.prefix { $0 != "@" }
                if owner.count < member.name.count, owner.isEmpty || members[String(owner)] != nil {
                    result.append(member)
                }
                continue
            }
            guard let choice = entry, let (value, count) = choice.choose(member.value, format) else {
                append(member, to: &result, format)
                continue
            }
            if let count {
                let name = "\(member.name)@\(format.version == .v40 ? "odata." : "")count"
                result.append(JSONValue.Member(name: name, value: .number(String(count))))
            }
            result.append(JSONValue.Member(name: member.name, value: value))
        }
        return .object(result)
    }

    /// A member; a computed one with its type, which no metadata tells.
    private func append(_ member: JSONValue.Member, to result: inout [JSONValue.Member], _ format: JSONFormat) {
        if format.metadata != .none, let type = computed.first(where: { $0.name == member.name })?.expression.type {
            switch type {
            case .string, .boolean, .double: break
            default:
                let (prefix, mark) = format.version == .v40 ? ("odata.", "#") : ("", "")
                let value = JSONValue.string("\(mark)\(type.rawValue.dropFirst(4))")
                result.append(JSONValue.Member(name: "\(member.name)@\(prefix)type", value: value))
            }
        }
        result.append(member)
    }

    // MARK: Items

    /// The items by the keys of their order; equal ones stay as they are.
    private func ordered(_ items: [JSONValue]) -> [JSONValue] {
        let evaluator = ExpressionEvaluator(source: EntitySource([]), user: user)
        let keyed = items.enumerated().map { place, item in
            (place: place, item: item, keys: order.map { (try? evaluator.value(of: $0.key, over: item)) ?? .null })
        }
        let sorted = keyed.sorted { left, right in
            for (place, part) in order.enumerated() {
                let comparison = Value.compare(left.keys[place], right.keys[place]) ?? 0
                if comparison != 0 { return part.isDescending ? comparison > 0 : comparison < 0 }
            }
            return left.place < right.place
        }
        return sorted.map(\.item)
    }

    /// Whether the words stand in a text of the item, in any letter case, as in the rows of a set.
    private static func isFound(_ search: SearchExpression, in item: JSONValue) -> Bool {
        switch search {
        case .word(let text), .phrase(let text):
            let wanted = text.lowercased()
            return texts(of: item).contains { $0.lowercased().contains(wanted) }
        case .not(let inner): return !isFound(inner, in: item)
        case .and(let left, let right): return isFound(left, in: item) && isFound(right, in: item)
        case .or(let left, let right): return isFound(left, in: item) || isFound(right, in: item)
        }
    }

    private static func texts(of item: JSONValue) -> [String] {
        switch item {
        case .string(let text): [text]
        case .array(let items): items.flatMap(texts)
        case .object(let members): members.flatMap { texts(of: $0.value) }
        default: []
        }
    }

    private func matches(_ item: JSONValue, _ condition: TypedExpression) -> Bool {
        let evaluator = ExpressionEvaluator(source: EntitySource([]), user: user)
        return (try? evaluator.value(of: condition, over: item)) == .boolean(true)
    }
}

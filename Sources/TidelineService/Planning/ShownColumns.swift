// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Which columns of what `$apply` makes are written: those that `$select` chooses, and what `$expand` adds of joins.
struct ShownColumns {
    private(set) var places: Set<Int> = []
    /// The related entities that are there whole, as the context URL has them: `Sale()`.
    private(set) var whole: [String] = []
    /// The context URLs of those that are expanded, by name.
    private var contexts: [String: String] = [:]

    init(_ plan: AggregationPlan, _ options: QueryOptions) throws(ODataError) {
        let own = plan.columns.indices.filter { place in
            !plan.columns[place].isHidden && plan.joined[plan.columns[place].path[0]] == nil
        }
        places = Set(try Self.chosen(options.select, of: plan, among: own))
        for item in options.expand {
            guard let set = plan.joined[item.navigation] else {
                throw ODataError(
                    .notSupported,
                    "The result of $apply has no \(item.navigation) to expand: only entities and joins have.",
                    target: item.navigation
                )
            }
            var rest = item.options
            rest.select = nil
            guard rest == QueryOptions(), item.content == .entities, item.cast == nil, item.prefix.isEmpty else {
                throw ODataError(.notSupported, "$expand of a join takes $select alone.", target: item.navigation)
            }
            let parts = plan.columns.indices.filter { place in
                !plan.columns[place].isHidden && plan.columns[place].path[0] == item.navigation
            }
            let chosen = try Self.chosen(item.options.select, of: plan, among: parts, in: item.navigation)
            places.formUnion(chosen)
            let list = Self.selectList(chosen.map { plan.columns[$0].path.dropFirst() })
            let isWhole = item.options.select == nil
            if isWhole { whole.append("\(item.navigation)()") }
            contexts[item.navigation] = "#\(set)\(isWhole ? "" : "(\(list.joined(separator: ",")))")/$entity"
        }
    }

    /// The context URL of an expanded entity, relative to that of the answer.
    func context(of name: String) -> String? { contexts[name] }

    /// Whether a path stands in what the context URL names as a whole.
    func isWhole(_ path: [String]) -> Bool { whole.contains("\(path[0])()") }

    private static func chosen(
        _ items: [SelectItem]?,
        of plan: AggregationPlan,
        among places: [Int],
        in prefix: String? = nil
    ) throws(ODataError) -> [Int] {
        guard let items, !items.contains(.all) else { return places }
        var chosen: Set<Int> = []
        for item in items {
            let path: [String]
            switch item {
            case .property(let name): path = name.split(separator: "/").map(String.init)
            case .path(let names, let options) where options == QueryOptions(): path = names
            default: throw ODataError(.notSupported, "$select beside $apply takes names.", target: "$select")
            }
            let whole = (prefix.map { [$0] } ?? []) + path
            let found = places.filter { plan.columns[$0].path.starts(with: whole) }
            guard !found.isEmpty else {
                let name = path.joined(separator: "/")
                throw ODataError(.invalidSelect, "The result has no property \(name).", target: name)
            }
            chosen.formUnion(found)
        }
        return chosen.sorted()
    }

    /// `Customer(Country),Total`.
    static func selectList(_ paths: [ArraySlice<String>]) -> [String] {
        var names: [String] = []
        for path in paths { if let name = path.first, !names.contains(name) { names.append(name) } }
        return names.map { name in
            let inner = paths.filter { $0.first == name && $0.count > 1 }.map { $0.dropFirst() }
            return inner.isEmpty ? name : "\(name)(\(selectList(inner).joined(separator: ",")))"
        }
    }
}

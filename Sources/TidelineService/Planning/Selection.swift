// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The structural properties that `$select` chooses; the key is always among them, for rows are known by it.
struct Selection {
    /// The places of the properties to push, in the order of the type.
    let columns: [Int]
    /// Those of them that are pushed for what depends on them, and not written.
    let hidden: Set<Int>
    /// What the context URL lists, or `nil` when everything is there.
    let names: [String]?

    /// The options for the items of properties that hold collections, by the properties' places.
    let itemOptions: [Int: QueryOptions]
    /// The dynamic properties of an open type that are chosen; all of them where it is `nil`.
    let dynamic: [String]?
    /// The computed properties that are chosen, by name.
    let computed: [String]

    /// - Parameters:
    ///   - items: the items of `$select`, or `nil` for all.
    ///   - derived: the derived type that the rows are cast to.
    ///   - computed: the names of computed properties.
    init(
        _ items: [SelectItem]?,
        _ set: EntitySet,
        as derived: String? = nil,
        computed: [String] = [],
        in model: EntityModel
    ) throws(ODataError) {
        let type = set.type
        let all = type.wireProperties.filter { place in
            guard let declaring = type.properties[place].declaringType, let derived else { return true }
            return type.lineage(of: derived).contains(declaring) || type.lineage(of: declaring).contains(derived)
        }
        var choice = Choice(set: set, derived: derived, model: model, available: computed)
        for item in items ?? [.all] { try choice.add(item) }
        itemOptions = choice.itemOptions
        // Computed properties are part of what is asked for by a star, and without a selection.
        self.computed = choice.isAll ? computed : computed.filter(choice.computed.contains)
        guard items != nil, !choice.isAll else {
            columns = all
            hidden = []
            names = nil
            dynamic = nil
            return
        }
        let written = choice.places.intersection(all).union(type.key)
        var chosen = written
        if let discriminator = type.discriminator, !type.derivedTypes.isEmpty { chosen.insert(discriminator) }
        hidden = chosen.subtracting(written)
        columns = chosen.sorted()
        dynamic = choice.dynamic
        names = Self.names(written.filter { $0 != type.dynamicProperty }.sorted(), type, model) + choice.others
    }

    /// What the items choose, gathered one by one.
    private struct Choice {
        let set: EntitySet
        let derived: String?
        let model: EntityModel
        let available: [String]
        var isAll = false
        var computed: Set<String> = []
        var places: Set<Int> = []
        var dynamic: [String] = []
        /// Navigation, stream and dynamic properties: their names stand in the context URL.
        var others: [String] = []
        var itemOptions: [Int: QueryOptions] = [:]

        mutating func add(_ item: SelectItem) throws(ODataError) {
            switch item {
            case .all: isAll = true
            case .property(let name): try add(name.split(separator: "/").map(String.init), QueryOptions())
            case .path(let path, let options): try add(path, options)
            // Operations are not among the members of a row; to name them asks for nothing.
            case .operations, .function: break
            }
        }

        private mutating func add(_ path: [String], _ options: QueryOptions) throws(ODataError) {
            // Annotations: none are kept.
            if path.last?.hasPrefix("@") == true { return }
            let type = set.type
            let name = path.joined(separator: "/")
            if available.contains(name) {
                computed.insert(name)
                others.append(name)
                return
            }
            guard let member = member(path) else {
                if path.count == 1, type.dynamicProperty != nil, let place = type.dynamicProperty {
                    places.insert(place)
                    if !dynamic.contains(name) { others.append(name) }
                    dynamic.append(name)
                    return
                }
                throw ODataError(.invalidSelect, "\(set.names.wire) has no property \(name).", target: name)
            }
            switch member {
            case .property(let place):
                if type.properties[place].stream == nil { places.insert(place) } else { others.append(name) }
                guard options != QueryOptions() else { return }
                guard case .collection? = type.properties[place].structure else {
                    throw ODataError(.invalidSelect, "\(name) takes no options.", target: name)
                }
                itemOptions[place] = options
            case .complex(let place):
                guard let nested = options.select, !nested.contains(.all) else {
                    places.formUnion(type.parts(of: place))
                    return
                }
                for item in nested {
                    switch item {
                    case .property(let inner):
                        try add(path + inner.split(separator: "/").map(String.init), QueryOptions())
                    case .path(let inner, let options): try add(path + inner, options)
                    case .all, .operations, .function: break
                    }
                }
            case .navigation: others.append(name)
            }
        }

        /// What a path names: names of complex properties, casts, a property at the end.
        private func member(_ path: [String]) -> Member? {
            var derived = derived
            var container: Int?
            var member: Member?
            for name in path {
                if name.contains("."), member == nil || container != nil {
                    if member == nil {
                        guard let cast = set.type.cast(name, in: model) else { return nil }
                        derived = cast ?? derived
                    }
                    continue
                }
                guard container != nil || member == nil else {
                    // What is inside a JSON column is chosen as a whole.
                    if case .property(let place)? = member, set.type.properties[place].structure != nil {
                        return member
                    }
                    return nil
                }
                guard let next = set.type.member(name, in: container, as: derived) else { return nil }
                member = next
                if case .complex(let inner) = next { container = inner } else { container = nil }
            }
            return member
        }
    }

    /// The paths of properties; a complex property that is there whole has its own name.
    private static func names(_ columns: [Int], _ type: EntityType, _ model: EntityModel) -> [String] {
        var names: [String] = []
        var seen: Set<Int> = []
        for place in columns {
            var container = type.properties[place].container
            var whole: Int?
            while let complex = container {
                if Set(type.parts(of: complex)).isSubset(of: columns) { whole = complex }
                container = type.complexProperties[complex].parent
            }
            if let whole {
                if seen.insert(whole).inserted { names.append(type.path(ofComplex: whole)) }
                continue
            }
            let cast = type.properties[place].declaringType.map { "\(model.namespace).\($0)/" } ?? ""
            names.append(cast + type.path(of: place))
        }
        return names
    }
}

extension EntityType {
    /// The path of a complex property.
    func path(ofComplex place: Int) -> String {
        let own = complexProperties[place].names.wire
        return complexProperties[place].parent.map { "\(path(ofComplex: $0))/\(own)" } ?? own
    }
}

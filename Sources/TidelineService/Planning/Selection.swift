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

    /// What is chosen inside of properties that hold collections or JSON, by the properties' places.
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
        // What is chosen inside of JSON is named itself.
        let inner = choice.itemOptions.compactMapValues(\.select)
        let whole = written.filter { $0 != type.dynamicProperty && inner[$0] == nil }.sorted()
        names =
            Self.names(whole, type, model)
            + inner.sorted { $0.key < $1.key }.flatMap { place, items in
                Self.names(items, inside: type.path(of: place))
            } + choice.others
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
        /// The properties that are chosen without any options.
        private var wholes: Set<Int> = []

        init(set: EntitySet, derived: String?, model: EntityModel, available: [String]) {
            self.set = set
            self.derived = derived
            self.model = model
            self.available = available
        }

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
            guard let (member, rest) = self.member(path) else {
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
                try choose(place, options.nested(at: rest), name)
            case .complex(let place):
                var others = options
                (others.select, others.aliases) = (nil, [:])
                guard others == QueryOptions() else {
                    throw ODataError(
                        options.compute.isEmpty ? .invalidSelect : .notSupported,
                        "\(name) is no collection and stands in columns: it takes $select.",
                        target: name
                    )
                }
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

        /// Has something be chosen inside of a property.
        private mutating func choose(_ place: Int, _ asked: QueryOptions, _ name: String) throws(ODataError) {
            var options = asked
            if options.select?.contains(.all) == true { options.select = nil }
            let twice = ODataError(.invalidSelect, "\(name) is selected twice.", target: name)
            guard options != QueryOptions() else {
                if let before = itemOptions[place], before.select == nil { throw twice }
                itemOptions[place] = nil
                wholes.insert(place)
                return
            }
            switch set.type.properties[place].structure {
            case .collection?, .complex?: break
            case .dynamic?, nil: throw ODataError(.invalidSelect, "\(name) takes no options.", target: name)
            }
            guard !wholes.contains(place) else {
                // The whole is there already; what counts and cuts it would be lost.
                guard options.select != nil else { throw twice }
                return
            }
            itemOptions[place] =
                try itemOptions[place].map { before throws(ODataError) in
                    try before.joined(options, name)
                } ?? options
        }

        /// What a path names: names of complex properties, casts, a property at the end; and what follows inside of
        /// JSON.
        private func member(_ path: [String]) -> (Member, rest: ArraySlice<String>)? {
            var derived = derived
            var container: Int?
            var member: Member?
            for (index, name) in path.enumerated() {
                if name.contains("."), member == nil || container != nil {
                    if member == nil {
                        guard let cast = set.type.cast(name, in: model) else { return nil }
                        derived = cast ?? derived
                    }
                    continue
                }
                guard container != nil || member == nil else {
                    if case .property(let place)? = member, set.type.properties[place].structure != nil {
                        return (.property(place), path[index...])
                    }
                    return nil
                }
                guard let next = set.type.member(name, in: container, as: derived) else { return nil }
                member = next
                if case .complex(let inner) = next { container = inner } else { container = nil }
            }
            return member.map { ($0, []) }
        }
    }

    /// The paths of what is chosen inside of JSON.
    private static func names(_ items: [SelectItem], inside path: String) -> [String] {
        items.flatMap { item -> [String] in
            switch item {
            case .property(let name): return ["\(path)/\(name)"]
            case .path(let names, let options):
                let inner = "\(path)/\(names.joined(separator: "/"))"
                guard let items = options.select, !items.contains(.all) else { return [inner] }
                return Self.names(items, inside: inner)
            case .all, .operations, .function: return []
            }
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

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

    /// - Parameters:
    ///   - items: the items of `$select`, or `nil` for all.
    ///   - derived: the derived type that the rows are cast to.
    init(_ items: [SelectItem]?, _ set: EntitySet, as derived: String? = nil, in model: EntityModel) throws(ODataError) {
        let type = set.type
        let all = type.wireProperties.filter { place in
            guard let declaring = type.properties[place].declaringType, let derived else { return true }
            return type.lineage(of: derived).contains(declaring) || type.lineage(of: declaring).contains(derived)
        }
        guard let items, !items.contains(.all) else {
            columns = all
            hidden = []
            names = nil
            return
        }
        var chosen = Set(type.key)
        var others: [String] = []
        for case .property(let name) in items {
            let path = name.split(separator: "/").map(String.init)
            switch try Self.member(path, set, derived, model) {
            case .property(let place):
                if type.properties[place].stream == nil { chosen.insert(place) } else { others.append(name) }
            case .complex(let place): chosen.formUnion(type.parts(of: place).filter { all.contains($0) })
            case .navigation: others.append(name)
            }
        }
        let written = chosen
        if let discriminator = type.discriminator, !type.derivedTypes.isEmpty { chosen.insert(discriminator) }
        hidden = chosen.subtracting(written)
        columns = chosen.sorted()
        names = Self.names(written.sorted(), type, model) + others
    }

    /// What a path names: names of complex properties, a cast in front, a property at the end.
    private static func member(
        _ path: [String],
        _ set: EntitySet,
        _ derived: String?,
        _ model: EntityModel
    ) throws(ODataError) -> Member {
        var derived = derived
        var container: Int?
        var member: Member?
        for (place, name) in path.enumerated() {
            if place == 0, name.contains("."), path.count > 1, let cast = set.type.cast(name, in: model) {
                derived = cast ?? derived
                continue
            }
            guard container != nil || member == nil, let next = set.type.member(name, in: container, as: derived) else {
                member = nil
                break
            }
            member = next
            if case .complex(let inner) = next { container = inner } else { container = nil }
        }
        guard let member else {
            let name = path.joined(separator: "/")
            throw ODataError(.invalidSelect, "\(set.names.wire) has no property \(name).", target: name)
        }
        return member
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

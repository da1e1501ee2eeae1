// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelGuesses {
    private static let orderNames: Set = [
        "position", "pos", "ordinal", "ord", "sort", "sortorder", "seq", "sequence", "idx", "index", "line", "lineno",
        "no", "nr", "number", "place", "rank",
    ]

    /// Tables that hold nothing but values of the rows of one other table.
    ///
    ///     post_tags(post_id → posts, position, tag), key (post_id, position)   →   posts.tags: ["new", "blue"]
    mutating func findCollections() {
        var absorbed: Set<Int> = []
        for place in drafts.indices {
            guard let parent = parent(of: place), let found = items(place, parent: parent) else { continue }
            let child = drafts[place]
            let isWanted = decide(
                .collections,
                child.name,
                decided:
                    "\(child.name) holds values of \(drafts[parent].name) and nothing else: it is their collection "
                    + "\(found.names.wire), and no set.",
                hint: "\(child.name) holds values of \(drafts[parent].name) and nothing else; it could be a collection "
                    + "property of these, \(found.names.wire)."
            )
            guard isWanted else { continue }
            drafts[parent].properties.append(found)
            absorbed.insert(place)
        }
        drafts = drafts.enumerated().filter { !absorbed.contains($0.offset) }.map(\.element)
    }

    /// The draft whose rows the rows of a draft belong to, by its only foreign key.
    private func parent(of place: Int) -> Int? {
        let child = drafts[place]
        guard !child.isReadOnly, child.foreignKeys.count == 1, child.complexProperties.isEmpty else { return nil }
        let way = child.foreignKeys[0]
        guard let parent = drafts.firstIndex(where: { $0.name == way.targetTable }), parent != place,
            !drafts[parent].isReadOnly,
            Set(way.targetColumns) == Set(drafts[parent].key), way.columns.count == drafts[parent].key.count,
            !drafts.contains(where: { $0.foreignKeys.contains { $0.targetTable == child.name } })
        else { return nil }
        return parent
    }

    /// The collection property that a table would be, or `nil`.
    private mutating func items(_ place: Int, parent: Int) -> Property? {
        let child = drafts[place]
        let way = child.foreignKeys[0]
        let rest = child.key.filter { !way.columns.contains($0) }
        // Each row is one item of one row of the parent, and the key says which.
        guard rest.count == 1, child.key.count == way.columns.count + 1 else { return nil }
        var values = child.properties.filter { !way.columns.contains($0.names.database) }
        guard values.allSatisfy({ $0.generation == .none && $0.structure == nil && $0.stream == nil }) else {
            return nil
        }
        var order: String?
        if let index = values.firstIndex(where: {
            $0.names.database == rest[0] && $0.type.integerRange != nil
                && Self.orderNames.contains($0.names.database.lowercased().filter { $0 != "_" })
        }), values.count > 1 {
            order = values.remove(at: index).names.database
        }
        // Without numbers the values themselves are the key: then there is one.
        guard !values.isEmpty, order != nil || values.count == 1 else { return nil }
        let element: Structure.Element
        if values.count == 1 {
            element = values[0].enumeration.map(Structure.Element.enumeration) ?? .primitive(values[0].type)
        } else {
            element = .complex(child.typeNames.wire)
            if wanted.contains(.collections) {
                let declared = values.map { value -> Property in
                    var value = value
                    value.names.database = value.names.wire
                    value.storage = .native
                    return value
                }
                complexTypes.append(ComplexType(names: child.typeNames, properties: declared))
            }
        }
        var taken = WireNames(
            taken: drafts[parent].properties.map(\.names.wire) + drafts[parent].complexProperties.map(\.names.wire)
                + [drafts[parent].typeNames.wire]
        )
        let name = taken.first(of: [Self.short(child.names.wire, of: drafts[parent].names.wire), child.names.wire])
        var property = Property(
            names: Names(wire: name, code: WireNames.code(name, capital: false)),
            type: .string,
            isNullable: false
        )
        property.structure = .collection(of: element, itemsNullable: values.count == 1 && values[0].isNullable)
        let key = drafts[parent].key.compactMap { column in
            way.targetColumns.firstIndex(of: column).map { way.columns[$0] }
        }
        property.items = ItemTable(
            name: child.name,
            key: key,
            values: values,
            order: order,
            isComplex: values.count > 1
        )
        if values.count == 1 {
            property.maxLength = values[0].maxLength
            property.precision = values[0].precision
            property.scale = values[0].scale
        }
        return property
    }

    /// `post_tags` of `posts` is short for `tags`.
    private static func short(_ name: String, of parent: String) -> String {
        for prefix in [WireNames.singular(parent), parent] {
            let lower = name.lowercased()
            if lower.hasPrefix(prefix.lowercased() + "_"), name.count > prefix.count + 1 {
                return String(name.dropFirst(prefix.count + 1))
            }
        }
        return name
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a v4 body says, taken apart for the writers of v2.
enum V2Answer {
    /// An entity; its values are still in the forms of v4.
    case entity(JSONTree, EntitySet)
    case feed(Feed, EntitySet)
    /// One property: the name and the value, with its property where it is primitive.
    case property(String, JSONTree, EntitySet, Property?, complex: Int?)
    /// The addresses in v2 of references.
    case reference(String)
    case references([String])
    /// What the operation of that name gave: a value, its items, or the properties of a complex value.
    case value(String, JSONTree, Property)
    case values(String, [JSONTree], Property)
    case object(String, JSONTree, type: String, [Property])

    struct Feed {
        var entities: [JSONTree] = []
        /// The v2 addresses of removed entities.
        var removed: [String] = []
        var count: String?
        var next: String?
        var delta: String?
    }

    /// What an operation gave that is no entity; `nil` for anything else.
    init?(_ tree: JSONTree, of operation: EdmOperation?, _ context: V2Context) {
        guard let operation, let type = operation.returnType else { return nil }
        let name = operation.imports.first?.name ?? operation.names.wire
        let columns = context.model.resultColumns(of: type)
        switch type.element {
        case .entity: return nil
        case .complex: self = .object(name, tree, type: context.type(of: type), columns)
        case .primitive, .enumeration:
            guard let column = columns.first, let value = tree["value"] else { return nil }
            self = type.isCollection ? .values(name, value.items, column) : .value(name, value, column)
        }
    }

    /// - Returns: `nil` for a body that is none of these.
    init?(_ tree: JSONTree, _ context: V2Context) {
        let isList: [JSONTree]?
        if case .list(let list)? = tree["value"] { isList = list } else { isList = nil }
        let url = tree["@odata.context"]?.text ?? ""
        let fragment = url.split(separator: "#", maxSplits: 1).last.map(String.init) ?? ""
        if fragment == "$ref" || fragment == "Collection($ref)" {
            if let list = isList {
                self = .references(list.compactMap { $0["@odata.id"]?.text }.compactMap { context.uri(ofV4: $0)?.uri })
                return
            }
            guard let id = tree["@odata.id"]?.text, let uri = context.uri(ofV4: id)?.uri else { return nil }
            self = .reference(uri)
            return
        }
        // Orders(OrderId,Client(Name))/$entity: the names, without what stands in parentheses.
        var names: [String] = []
        var name = ""
        var depth = 0
        for character in fragment {
            switch character {
            case "(": depth += 1
            case ")": depth -= 1
            case "/" where depth == 0:
                names.append(name)
                name = ""
            case _ where depth == 0: name.append(character)
            default: break
            }
        }
        names.append(name)
        guard let first = names.first, var set = context.set(published: first) else { return nil }
        var rest = names.dropFirst().filter { !$0.hasPrefix("$") && !$0.contains(".") }
        while let next = rest.first, let place = set.type.navigationIndex(wire: next),
            let target = context.model[set: set.type.navigationProperties[place].targetSet]
        {
            set = target
            rest.removeFirst()
        }
        if let last = rest.last {
            let property = set.type.properties.first { $0.names.wire == last && context.isVisible($0) }
            let complex = set.type.complexProperties.firstIndex { $0.names.wire == last }
            guard property != nil || complex != nil else { return nil }
            self = .property(last, property != nil ? tree["value"] ?? .null : tree, set, property, complex: complex)
        } else if let list = isList {
            var feed = Feed(
                count: tree["@odata.count"]?.scalar,
                next: tree["@odata.nextLink"]?.text,
                delta: tree["@odata.deltaLink"]?.text
            )
            for item in list {
                if item["@odata.context"]?.text?.hasSuffix("$deletedEntity") == true {
                    if let id = item["id"]?.text, let uri = context.uri(ofV4: id)?.uri { feed.removed.append(uri) }
                } else {
                    feed.entities.append(item)
                }
            }
            self = .feed(feed, set)
        } else {
            self = .entity(tree, set)
        }
    }
}

extension V2Context {
    /// The key of an entity in a v4 body.
    func key(of tree: JSONTree, _ set: EntitySet) -> Key? {
        var values: [Value] = []
        for part in set.type.key {
            let property = set.type.properties[part]
            guard let text = tree[property.names.wire]?.scalar else { return nil }
            let value = property.type == .string ? Value.string(text) : Value(text: text, as: property.type)
            guard let value else { return nil }
            values.append(value)
        }
        return Key(values)
    }
}

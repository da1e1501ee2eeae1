// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Translates the bodies of v2 requests, JSON or Atom, to the JSON of v4.
struct V2Body {
    let context: V2Context

    // MARK: JSON

    /// The body of an entity, of a property or of a reference.
    func json(_ bytes: [UInt8], _ set: EntitySet?, isLinks: Bool, property: Property?) throws(ODataError) -> [UInt8] {
        var tree = try JSONTree.read(bytes)
        // A wrapper has nothing beside it; a property may be called so too.
        if tree.members.count == 1, let inner = tree["d"], case .object = inner { tree = inner }
        if isLinks {
            guard let uri = tree["uri"]?.text else {
                throw ODataError(.invalidBody, "The body has no uri.", target: "uri")
            }
            return JSONTree.object([("@odata.id", .text(try context.reference(uri)))]).bytes
        }
        if let property {
            return JSONTree.object([("value", try value(tree[property.names.wire] ?? .null, property))]).bytes
        }
        guard let set else { return bytes }
        return try entity(tree, set, depth: 0).bytes
    }

    private func entity(_ tree: JSONTree, _ set: EntitySet, depth: Int) throws(ODataError) -> JSONTree {
        guard case .object(let members) = tree, depth < 20 else {
            throw ODataError(.invalidBody, "The body is no entity.")
        }
        var result: [(String, JSONTree)] = []
        for (name, value) in members where name != "__metadata" {
            if let place = set.type.navigationIndex(wire: name) {
                if let item = try related(value, set.type.navigationProperties[place], depth: depth) {
                    result.append(item)
                }
            } else if let property = property(name, set) {
                result.append((name, try self.value(value, property)))
            } else if let place = set.type.complexProperties.firstIndex(where: {
                $0.names.wire == name && $0.parent == nil
            }) {
                result.append((name, try complex(value, place, set)))
            } else if !context.ignoresUnknownProperties {
                result.append((name, value))
            }
        }
        return .object(result)
    }

    func property(_ name: String, _ set: EntitySet, in container: Int? = nil) -> Property? {
        set.type.properties.first { $0.names.wire == name && $0.container == container && context.isVisible($0) }
    }

    private func complex(_ tree: JSONTree, _ place: Int, _ set: EntitySet) throws(ODataError) -> JSONTree {
        guard case .object(let members) = tree else { return tree }
        var result: [(String, JSONTree)] = []
        for (name, value) in members where name != "__metadata" {
            if let property = property(name, set, in: place) {
                result.append((name, try self.value(value, property)))
            } else if let inner = set.type.complexProperties.firstIndex(where: {
                $0.names.wire == name && $0.parent == place
            }) {
                result.append((name, try complex(value, inner, set)))
            } else {
                result.append((name, value))
            }
        }
        return .object(result)
    }

    /// A deferred one is passed over; one with an address alone is a reference.
    private func related(
        _ tree: JSONTree,
        _ navigation: NavigationProperty,
        depth: Int
    ) throws(ODataError) -> (String, JSONTree)? {
        if tree["__deferred"] != nil { return nil }
        guard let target = context.model[set: navigation.targetSet] else { return nil }
        let name = navigation.names.wire
        if case .null = tree { return (name, .null) }
        if navigation.isCollection {
            var items: [JSONTree] = []
            if case .list(let list) = tree { items = list }
            if case .list(let list)? = tree["results"] { items = list }
            if !items.isEmpty, items.allSatisfy(isReference) {
                var references: [JSONTree] = []
                for item in items { references.append(.text(try reference(item))) }
                return ("\(name)@odata.bind", .list(references))
            }
            var entities: [JSONTree] = []
            for item in items { entities.append(try entity(item, target, depth: depth + 1)) }
            return (name, .list(entities))
        }
        if isReference(tree) { return ("\(name)@odata.bind", .text(try reference(tree))) }
        return (name, try entity(tree, target, depth: depth + 1))
    }

    private func isReference(_ tree: JSONTree) -> Bool {
        tree.members.count == 1 && (tree["__metadata"]?["uri"] != nil || tree["uri"] != nil)
    }

    private func reference(_ tree: JSONTree) throws(ODataError) -> String {
        try context.reference(tree["__metadata"]?["uri"]?.text ?? tree["uri"]?.text ?? "")
    }

    // MARK: Values

    /// A value of JSON of v2: many types come as text.
    func value(_ tree: JSONTree, _ property: Property) throws(ODataError) -> JSONTree {
        guard case .text(let text) = tree else {
            if property.type == .decimal, let digits = tree.scalar { return .text(digits) }
            return tree
        }
        return value(text: text, property)
    }

    /// A value of text, as Atom has it and JSON for some types.
    func value(text: String, _ property: Property) -> JSONTree {
        if property.enumeration != nil { return .text(text) }
        switch property.type {
        case .boolean:
            return text == "true" || text == "1"
                ? .flag(true) : text == "false" || text == "0" ? .flag(false) : .text(text)
        case .byte, .sbyte, .int16, .int32:
            // XML Schema drops blanks around a number.
            let words = text.split(whereSeparator: \.isWhitespace)
            return words.count == 1 ? Int(words[0]).map(JSONTree.integer) ?? .text(text) : .text(text)
        case .double, .single:
            return ["INF", "-INF", "NaN"].contains(text) || Double(text) == nil ? .text(text) : .number(text)
        case .date, .dateTimeOffset: return .text(V2Literal.moment(text, type: property.type))
        case .timeOfDay: return .text(V2Literal.time(text) ?? text)
        case .binary: return .text(V2Literal.base64URL(text))
        default: return .text(text)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Writes JSON verbose, the JSON of v2.
///
///     {"d":{"results":[{"__metadata":{"uri":…,"type":…},"OrderId":1,"Client":{"__deferred":{"uri":…}}}],"__next":…}}
struct V2JSONWriter {
    let context: V2Context
    /// Whether only chosen properties were asked for.
    let hasSelect: Bool
    /// The address of the request's collection, for links.
    let link: (String) -> String
    let deltaLink: (String) -> String

    func write(_ answer: V2Answer) -> [UInt8] {
        let content: JSONTree
        switch answer {
        case .entity(let tree, let set): content = entity(tree, set)
        case .reference(let uri): content = .object([("uri", .text(uri))])
        case .references(let uris): content = .object([("results", .list(uris.map { .object([("uri", .text($0))]) }))])
        case .property(let name, let value, let set, let property, let complex):
            content = .object([(name, property.map { self.value(value, $0) } ?? self.complex(value, complex, set))])
        case .value(let name, let value, let property): content = .object([(name, self.value(value, property))])
        case .values(_, let items, let property):
            content = .object([("results", .list(items.map { value($0, property) }))])
        case .object(let name, let tree, let type, let properties):
            let members = properties.map { ($0.names.wire, value(tree[$0.names.wire] ?? .null, $0)) }
            let about: [(String, JSONTree)] = [("__metadata", .object([("type", .text(type))]))]
            content = .object([(name, .object(about + members))])
        case .feed(let feed, let set):
            var items = feed.entities.map { entity($0, set) }
            items += feed.removed.map { uri in
                let deleted = "$metadata#\(set.names.wire)/$deletedEntity"
                return .object([("@odata.context", .text(deleted)), ("id", .text(uri))])
            }
            var members: [(String, JSONTree)] = [("results", .list(items))]
            if let count = feed.count { members.append(("__count", .text(count))) }
            if let next = feed.next { members.append(("__next", .text(link(next)))) }
            if let delta = feed.delta { members.append(("__delta", .text(deltaLink(delta)))) }
            content = .object(members)
        }
        return JSONTree.object([("d", content)]).bytes
    }

    private func entity(_ tree: JSONTree, _ set: EntitySet) -> JSONTree {
        let uri = context.key(of: tree, set).map { context.uri(set, $0) } ?? ""
        var about: [(String, JSONTree)] = [
            ("id", .text(uri)), ("uri", .text(uri)),
            ("type", .text("\(context.model.namespace).\(set.type.names.wire)")),
        ]
        if let etag = tree["@odata.etag"]?.text { about.append(("etag", .text(etag))) }
        var members: [(String, JSONTree)] = [("__metadata", .object(about))]
        members += self.members(tree, set, in: nil)
        for navigation in set.type.navigationProperties where context.isVisible(navigation) {
            let name = navigation.names.wire
            guard let target = context.model[set: navigation.targetSet] else { continue }
            switch tree[name] {
            case .list(let list)?:
                members.append((name, .object([("results", .list(list.map { entity($0, target) }))])))
            case .object?: members.append((name, tree[name].map { entity($0, target) } ?? .null))
            case .some: members.append((name, .null))
            case nil where !hasSelect:
                members.append((name, .object([("__deferred", .object([("uri", .text("\(uri)/\(name)"))]))])))
            case nil: break
            }
        }
        return .object(members)
    }

    private func members(_ tree: JSONTree, _ set: EntitySet, in container: Int?) -> [(String, JSONTree)] {
        var members: [(String, JSONTree)] = []
        for property in set.type.properties where property.container == container && context.isVisible(property) {
            if let value = tree[property.names.wire] {
                members.append((property.names.wire, self.value(value, property)))
            } else if property.declaringType != nil, !hasSelect {
                members.append((property.names.wire, .null))
            }
        }
        for (place, complex) in set.type.complexProperties.enumerated() where complex.parent == container {
            guard let value = tree[complex.names.wire] else { continue }
            members.append((complex.names.wire, self.complex(value, place, set)))
        }
        return members
    }

    private func complex(_ tree: JSONTree, _ place: Int?, _ set: EntitySet) -> JSONTree {
        guard case .object = tree, let place else { return .null }
        let type = "\(context.model.namespace).\(set.type.complexProperties[place].type)"
        return .object([("__metadata", .object([("type", .text(type))]))] + members(tree, set, in: place))
    }

    private func value(_ tree: JSONTree, _ property: Property) -> JSONTree {
        guard let text = tree.text, property.enumeration == nil else { return tree }
        return switch property.type {
        case .date, .dateTimeOffset: .text(V2Literal.date(text, type: property.type))
        case .timeOfDay: .text(V2Literal.duration(text))
        case .binary: .text(V2Literal.base64(text))
        default: tree
        }
    }
}

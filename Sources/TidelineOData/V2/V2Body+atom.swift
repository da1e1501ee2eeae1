// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Atom: entries with their properties and links.
extension V2Body {
    static let data = "http://schemas.microsoft.com/ado/2007/08/dataservices"
    static let metadata = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    static let atom = "http://www.w3.org/2005/Atom"
    private static let related = "\(data)/related/"

    /// The body of an entity, of a property or of a reference.
    func atom(_ bytes: [UInt8], _ set: EntitySet?, isLinks: Bool, property: Property?) throws(ODataError) -> [UInt8] {
        let tree = try XMLTree.read(bytes)
        if isLinks {
            guard tree.name == "uri" else { throw ODataError(.invalidBody, "The body is no uri.", target: "uri") }
            return JSONTree.object([("@odata.id", .text(try context.reference(tree.text)))]).bytes
        }
        if let property { return JSONTree.object([("value", value(tree, property))]).bytes }
        guard let set else { throw ODataError(.invalidBody, "The body is not what the URL needs.") }
        return try entry(tree, set, depth: 0).bytes
    }

    private func entry(_ tree: XMLTree, _ set: EntitySet, depth: Int) throws(ODataError) -> JSONTree {
        guard tree.name == "entry" else {
            throw ODataError(
                .invalidBody,
                "The root of the body is '\(tree.name.prefix(128))'; that of an Atom entry is 'entry', in small letters."
            )
        }
        guard tree.namespace == Self.atom, depth < 20 else {
            throw ODataError(.invalidBody, "The body is no Atom entry.")
        }
        var members: [(String, JSONTree)] = []
        if let properties = (tree.child("content")?.child("properties") ?? tree.child("properties")) {
            members += try self.members(properties, set, in: nil)
        }
        for link in tree.children where link.name == "link" && link["rel"]?.hasPrefix(Self.related) == true {
            let name = String(link["rel"]?.dropFirst(Self.related.count) ?? "")
            guard let place = set.type.navigationIndex(wire: name) else {
                throw ODataError(.unknownProperty, "\(set.names.wire) has no \(name.prefix(128)).", target: name)
            }
            let navigation = set.type.navigationProperties[place]
            if let item = try self.link(link, navigation, depth: depth) { members.append(item) }
        }
        return .object(members)
    }

    private func link(_ link: XMLTree, _ navigation: NavigationProperty, depth: Int) throws(ODataError)
        -> (String, JSONTree)?
    {
        let name = navigation.names.wire
        guard let target = context.model[set: navigation.targetSet] else { return nil }
        guard let inline = link.child("inline") else {
            // The link of a collection says where it is; only that of a single entity refers to one.
            guard !navigation.isCollection, let href = link["href"], href.hasSuffix(")") else { return nil }
            return ("\(name)@odata.bind", .text(try context.reference(href)))
        }
        if navigation.isCollection {
            var entities: [JSONTree] = []
            for entry in inline.child("feed")?.children ?? [] where entry.name == "entry" {
                entities.append(try self.entry(entry, target, depth: depth + 1))
            }
            return (name, .list(entities))
        }
        guard let entry = inline.child("entry") else { return (name, .null) }
        return (name, try self.entry(entry, target, depth: depth + 1))
    }

    private func members(
        _ tree: XMLTree,
        _ set: EntitySet,
        in container: Int?
    ) throws(ODataError) -> [(String, JSONTree)] {
        var members: [(String, JSONTree)] = []
        for element in tree.children {
            if let property = property(element.name, set, in: container) {
                members.append((element.name, value(element, property)))
            } else if let place = set.type.complexProperties.firstIndex(where: {
                $0.names.wire == element.name && $0.parent == container
            }) {
                let isNull = element["null"] == "true"
                members.append((element.name, isNull ? .null : .object(try self.members(element, set, in: place))))
            } else if !context.ignoresUnknownProperties {
                throw ODataError(
                    .unknownProperty,
                    "\(set.names.wire) has no property \(element.name.prefix(128)).",
                    target: element.name
                )
            }
        }
        return members
    }

    private func value(_ element: XMLTree, _ property: Property) -> JSONTree {
        element["null"] == "true" ? .null : value(text: element.text, property)
    }
}

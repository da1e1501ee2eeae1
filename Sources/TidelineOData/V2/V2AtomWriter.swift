// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Writes Atom: feeds, entries, properties and links.
struct V2AtomWriter {
    let context: V2Context
    let hasSelect: Bool
    /// When the answer is given, an RFC 3339 text: Atom wants to know.
    let updated: String
    let link: (String) -> String
    let deltaLink: (String) -> String

    /// The attributes of a document's root, in the order in which the services of 2010 wrote them.
    private var documentRoot: [(String, String?)] {
        [
            ("xml:base", context.v2Root), ("xmlns:d", V2Body.data), ("xmlns:m", V2Body.metadata),
            ("xmlns", V2Body.atom),
        ]
    }

    private static let root: [(String, String?)] = [("xmlns", V2Body.data), ("xmlns:m", V2Body.metadata)]

    func write(_ answer: V2Answer) -> [UInt8] {
        var xml = XMLWriter.likeVersion2()
        switch answer {
        case .entity(let tree, let set): entry(tree, set, isRoot: true, to: &xml)
        case .feed(let content, let set): feed(content, set, to: &xml)
        case .reference(let uri): xml.element("uri", [("xmlns", V2Body.data)], text: uri)
        case .references(let uris):
            xml.element("links", [("xmlns", V2Body.data)]) { xml in
                for uri in uris { xml.element("uri", text: uri) }
            }
        case .value(let name, let value, let property): self.value(name, value, property, Self.root, to: &xml)
        case .values(let name, let items, let property):
            xml.element(name, Self.root) { xml in
                for item in items { self.value("element", item, property, [], to: &xml) }
            }
        case .object(let name, let tree, let type, let properties):
            xml.element(name, Self.root + [("m:type", type)]) { xml in
                for property in properties {
                    let member = property.names.wire
                    self.value(member, tree[member] ?? .null, property, [], to: &xml)
                }
            }
        case .property(let name, let value, let set, let property, let complex):
            let root = Self.root
            if let property {
                self.value(name, value, property, root, to: &xml)
            } else {
                xml.element(name, root) { members(value, set, in: complex, prefix: "", to: &$0) }
            }
        }
        return xml.bytes
    }

    private func feed(_ feed: V2Answer.Feed, _ set: EntitySet, to xml: inout XMLWriter) {
        let name = set.names.wire
        var attributes = documentRoot
        if !feed.removed.isEmpty { attributes.append(("xmlns:at", "http://purl.org/atompub/tombstones/1.0")) }
        xml.element("feed", attributes) { xml in
            xml.element("title", [("type", "text")], text: name)
            xml.element("id", text: context.layout.feedID ?? context.v2Root + name)
            xml.element("updated", text: updated)
            if context.layout.hasFeedAuthor { xml.element("author", []) { $0.element("name", []) } }
            xml.element("link", [("rel", "self"), ("title", name), ("href", name)])
            if let count = feed.count { xml.element("m:count", text: count) }
            for entity in feed.entities { entry(entity, set, isRoot: false, to: &xml) }
            for uri in feed.removed { xml.element("at:deleted-entry", [("ref", uri), ("when", updated)]) }
            if let next = feed.next { xml.element("link", [("rel", "next"), ("href", link(next))]) }
            if let delta = feed.delta { xml.element("link", [("rel", "delta"), ("href", deltaLink(delta))]) }
        }
    }

    private func entry(_ tree: JSONTree, _ set: EntitySet, isRoot: Bool, to xml: inout XMLWriter) {
        let uri = context.key(of: tree, set).map { context.uri(set, $0) } ?? ""
        let href = String(uri.dropFirst(context.v2Root.count))
        var attributes: [(String, String?)] = isRoot ? documentRoot : []
        if context.layout.hasETags { attributes.append(("m:etag", tree["@odata.etag"]?.text)) }
        xml.element("entry", attributes) { xml in
            xml.element("id", text: uri)
            xml.element("title", [("type", "text")], text: "")
            xml.element("updated", text: updated)
            xml.element("author", []) { $0.element("name", []) }
            xml.element("link", [("rel", "edit"), ("title", set.type.names.wire), ("href", href)])
            for navigation in set.type.navigationProperties where context.isVisible(navigation) {
                related(tree, navigation, href, to: &xml)
            }
            xml.element(
                "category",
                [
                    ("term", "\(context.model.namespace).\(set.type.names.wire)"),
                    ("scheme", "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"),
                ]
            )
            xml.element("content", [("type", "application/xml")]) { xml in
                xml.element("m:properties", []) { members(tree, set, in: nil, prefix: "d:", to: &$0) }
            }
        }
    }

    private func related(
        _ tree: JSONTree,
        _ navigation: NavigationProperty,
        _ href: String,
        to xml: inout XMLWriter
    ) {
        let name = navigation.names.wire
        let attributes: [(String, String?)] = [
            ("rel", "\(V2Body.data)/related/\(name)"),
            ("type", "application/atom+xml;type=\(navigation.isCollection ? "feed" : "entry")"), ("title", name),
            ("href", "\(href)/\(name)"),
        ]
        guard let value = tree[name], let target = context.model[set: navigation.targetSet] else {
            if !hasSelect { xml.element("link", attributes) }
            return
        }
        xml.element("link", attributes) { xml in
            xml.element("m:inline", []) { xml in
                switch value {
                case .list(let list): feed(V2Answer.Feed(entities: list), target, to: &xml)
                case .object: entry(value, target, isRoot: false, to: &xml)
                default: break
                }
            }
        }
    }

    private func members(
        _ tree: JSONTree,
        _ set: EntitySet,
        in container: Int?,
        prefix: String,
        to xml: inout XMLWriter
    ) {
        for property in set.type.properties where property.container == container && context.isVisible(property) {
            guard let value = tree[property.names.wire] else { continue }
            self.value(prefix + property.names.wire, value, property, [], to: &xml)
        }
        for (place, complex) in set.type.complexProperties.enumerated() where complex.parent == container {
            guard let value = tree[complex.names.wire] else { continue }
            let name = prefix + complex.names.wire
            guard case .object = value else {
                xml.element(name, [("m:null", "true")])
                continue
            }
            let type = "\(context.model.namespace).\(complex.type)"
            xml.element(name, [("m:type", type)]) { members(value, set, in: place, prefix: prefix, to: &$0) }
        }
    }

    private func value(
        _ name: String,
        _ tree: JSONTree,
        _ property: Property,
        _ root: [(String, String?)],
        to xml: inout XMLWriter
    ) {
        let type = context.type(of: property)
        let attributes = root + [("m:type", type == "Edm.String" ? nil : type)]
        guard let text = tree.scalar else {
            xml.element(name, attributes + [("m:null", "true")])
            return
        }
        var written = text
        if property.enumeration == nil {
            switch property.type {
            case .date: written = "\(text)T00:00:00"
            case .timeOfDay: written = V2Literal.duration(text)
            case .binary: written = V2Literal.base64(text)
            default: break
            }
        }
        xml.element(name, attributes, text: written)
    }
}

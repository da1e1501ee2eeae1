// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What the translation between OData v2 and v4 knows of a service: its model and its two addresses.
public struct V2Context: Sendable {
    public var model: EntityModel
    /// The root of the v4 service, with a slash at its end.
    public var root: String
    /// The root of the v2 service, with a slash at its end.
    public var v2Root: String
    /// The sets that v4 publishes under another name than v2, by their name in v2.
    public var publishedNames: [String: String] = [:]
    /// Whether properties that the model does not have are passed over; else they are refused.
    public var ignoresUnknownProperties = false
    /// What of Atom may be left out.
    public var layout = V2AtomLayout()

    /// - Parameter v2Root: where the v2 service is, if not at `v2/` below the other.
    public init(model: EntityModel, root: String, v2Root: String? = nil) {
        self.model = model
        self.root = root
        self.v2Root = v2Root ?? root + "v2/"
    }

    // MARK: Names

    /// The name in v4 of a set that v2 names.
    func publishedName(_ name: String) -> String { publishedNames[name] ?? name }

    /// The set that v4 names.
    func set(published name: String) -> EntitySet? {
        model[set: publishedNames.first { $0.value == name }?.key ?? name]
    }

    // MARK: What v2 can say

    /// Whether v2 has the property: no collections, no shapes, no streams, no dynamic ones.
    func isVisible(_ property: Property) -> Bool {
        !property.isLocalOnly && property.structure == nil && property.stream == nil && !property.type.isSpatial
    }

    /// Whether v2 has the navigation property: it knows no containment.
    func isVisible(_ navigation: NavigationProperty) -> Bool {
        !navigation.isContainment && model[set: navigation.targetSet].map { !$0.isContained } ?? false
    }

    /// The name of a property's type in v2.
    func type(of property: Property) -> String {
        if property.enumeration != nil { return "Edm.String" }
        return switch property.type {
        case .date: "Edm.DateTime"
        case .timeOfDay: "Edm.Time"
        case .duration: "Edm.String"
        default: property.type.rawValue
        }
    }

    /// The name of a property's type in v2; `nil` for what v2 cannot say.
    public func typeName(of property: Property) -> String? { isVisible(property) ? type(of: property) : nil }

    // MARK: Addresses

    /// The address of an entity in v2.
    func uri(_ set: EntitySet, _ key: Key) -> String {
        let values = zip(set.type.key, key.values).map { (set.type.properties[$0], $1) }
        let texts = values.map { property, value in V2Literal.text(value, property) }
        let predicate =
            texts.count == 1
            ? texts[0]
            : zip(values, texts).map { "\($0.0.names.wire)=\($1)" }.joined(separator: ",")
        return v2Root + PercentCoding.encode(segment: "\(set.names.wire)(\(predicate))")
    }

    /// The v2 address of an entity that v4 names, or `nil`.
    func uri(ofV4 text: String) -> (uri: String, set: EntitySet)? {
        let relative = text.hasPrefix(root) ? String(text.dropFirst(root.count)) : text
        guard let (name, predicate) = try? ResourceURL.reference(relative), let set = set(published: name),
            let key = try? predicate.key(for: set.type)
        else { return nil }
        return (uri(set, key), set)
    }

    /// The v4 reference for a v2 address.
    func reference(_ uri: String) throws(ODataError) -> String {
        var text = uri[...]
        for prefix in [v2Root, path(of: v2Root)] where text.hasPrefix(prefix) {
            text = text.dropFirst(prefix.count)
            break
        }
        return try V2Path(context: self).translate(text).path
    }

    func path(of root: String) -> String {
        guard let mark = root.firstRange(of: "://"), let slash = root[mark.upperBound...].firstIndex(of: "/") else {
            return root
        }
        return String(root[slash...])
    }
}

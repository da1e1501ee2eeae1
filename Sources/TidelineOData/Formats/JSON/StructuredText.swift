// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// JSON text of structured properties, as far as a change needs to look into it.
public enum StructuredText {
    /// The stored object with the members of another put in: what PATCH makes of a complex value.
    ///
    /// Objects in objects are merged in their turn; other values are replaced. An object that becomes one of another type
    /// keeps the members that this type has, too.
    ///
    /// - Parameters:
    ///   - removesNull: whether a null removes the member, as of dynamic properties.
    ///   - members: the members that a type has, by its qualified name as `@type` has it; `nil` for those of any name. Where
    ///     types are not known, there are none.
    /// - Returns: `nil` when one of the two is no object.
    public static func merged(
        _ stored: String,
        with change: String,
        removesNull: Bool = false,
        members: (String) -> Set<String>? = { _ in [] }
    ) -> String? {
        guard let old = try? JSONTree.read(Array(stored.utf8)), let new = try? JSONTree.read(Array(change.utf8)),
            case .object = old, case .object = new
        else { return nil }
        return String(decoding: merge(old, new, removesNull, members).bytes, as: UTF8.self)
    }

    private static func merge(
        _ old: JSONTree,
        _ new: JSONTree,
        _ removesNull: Bool,
        _ kept: (String) -> Set<String>?
    ) -> JSONTree {
        guard case .object(var members) = old, case .object(let changes) = new else { return new }
        if let type = new["@type"]?.scalar, type != old["@type"]?.scalar {
            let names = kept(type)
            members.removeAll { name, _ in name == "@type" || names.map { !$0.contains(name) } ?? false }
        }
        for (name, _) in changes {
            // What is said of a dynamic property goes with its old value.
            if removesNull, !name.contains("@") { members.removeAll { $0.0.hasPrefix(name + "@") } }
        }
        for (name, value) in changes {
            let place = members.firstIndex { $0.0 == name }
            if removesNull, case .null = value {
                if let place { members.remove(at: place) }
            } else if let place {
                members[place].1 = removesNull ? value : merge(members[place].1, value, false, kept)
            } else {
                members.append((name, value))
            }
        }
        if removesNull {
            let names = Set(members.map(\.0))
            members.removeAll { name, _ in
                name.firstIndex(of: "@").map { $0 != name.startIndex && !names.contains(String(name[..<$0])) } ?? false
            }
        }
        return .object(members)
    }

    /// A member of an object: the text of a single value, or the JSON of an object or array; `nil` where there is none.
    public static func member(_ name: String, of object: String) -> DynamicValue? {
        switch (try? JSONTree.read(Array(object.utf8)))?[name] {
        case nil, .null?: nil
        case .object(let members)?: .object(String(decoding: JSONTree.object(members).bytes, as: UTF8.self))
        case .list?: .list
        case let value?: .scalar(value.scalar ?? "")
        }
    }

    /// The dynamic properties of an object without those that are null.
    public static func withoutNulls(_ text: String) -> String { merged("{}", with: text, removesNull: true) ?? text }

    /// The array with an item put in.
    ///
    /// - Parameter index: the place, from the end where it is negative; `nil` for the end.
    /// - Returns: `nil` when the text is no array or the place is outside.
    public static func inserting(_ item: String, into array: String, at index: Int? = nil) -> String? {
        guard case .list(var list)? = try? JSONTree.read(Array(array.utf8)),
            let item = try? JSONTree.read(Array(item.utf8))
        else { return nil }
        let place = index.map { $0 < 0 ? list.count + 1 + $0 : $0 } ?? list.count
        guard (0...list.count).contains(place) else { return nil }
        list.insert(item, at: place)
        return String(decoding: JSONTree.list(list).bytes, as: UTF8.self)
    }

    /// The item of a collection in a body `{"value": …}`, or a bare complex value, checked.
    ///
    /// - Throws: `InvalidBody`, `InvalidValue`.
    public static func item(
        of property: Property,
        in body: [UInt8],
        model: EntityModel
    ) throws(ODataError) -> String {
        guard case .collection(let element, _)? = property.structure else {
            throw ODataError(.invalidBody, "\(property.names.wire) is no collection.", target: property.names.wire)
        }
        return try JSONReader.read(body[...]) { reader throws(ODataError) in
            var inner = reader
            if let range = try valueMember(&reader) {
                inner.offset = range.lowerBound
            }
            let output = ByteWriter()
            try PropertyValueReader(model: model).item(element, property, &inner, to: output)
            return output.text
        }
    }

    private static func valueMember(_ reader: inout JSONReader) throws(ODataError) -> Range<Int>? {
        guard try reader.kind() == .object else {
            try reader.skipValue()
            return nil
        }
        var found: Range<Int>?
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            let name = try reader.string(token)
            let range = try reader.skipValueRange()
            if name == "value" { found = range }
        }
        return found
    }
}

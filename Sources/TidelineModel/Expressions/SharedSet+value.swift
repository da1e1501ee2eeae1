// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension SharedSet {
    /// The value of a property that every entity has and that is in no complex property; `nil` for other names.
    func value(of name: String, up: Int) -> TypedExpression? {
        // A span lends its elements, where an array copies them.
        let list = set.type.properties
        let properties = list.span
        var place = 0
        while place < properties.count, properties[place].container != nil || properties[place].names.wire != name {
            place += 1
        }
        guard place < properties.count, properties[place].declaringType == nil, properties[place].stream == nil,
            !name.utf8.contains(UInt8(ascii: "."))
        else { return nil }
        return TypedExpression(
            node: .path(TypedExpression.Path(property: place, up: up)),
            type: properties[place].type,
            enumeration: properties[place].enumeration,
            structure: properties[place].structure
        )
    }
}

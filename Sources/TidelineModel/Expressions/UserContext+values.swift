// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension UserContext {
    /// The value of bare `@me` or of an attribute, in the family of a type; null when there is none, when it cannot have
    /// that type, or when the attribute has several.
    ///
    /// A comparison with `@me` that has no value is null whatever the other side is: it selects nothing, negated or
    /// not, so that nobody is ever taken for the owner of what nobody owns.
    public func value(_ attribute: String?, as type: PrimitiveType?) -> Value {
        guard let attribute else { return UserContext.typed(id, type) ?? .null }
        let values = values(attribute, as: type)
        return values.count == 1 ? values[0] : .null
    }

    /// All values of an attribute that can have a type; `Roles` and `Name` are those of the user.
    public func values(_ attribute: String, as type: PrimitiveType?) -> [Value] {
        let all: [Value] =
            attributes[attribute]
            ?? (attribute == "Roles" ? roles.map(Value.string) : nil)
            ?? (attribute == "Name" ? name.map { [.string($0)] } : nil)
            ?? (attribute == "Id" ? [id] : [])
        return all.compactMap { UserContext.typed($0, type) }.filter { $0 != .null }
    }

    /// A value as another type: promoted, or read from its text.
    private static func typed(_ value: Value, _ type: PrimitiveType?) -> Value? {
        guard let type else { return value }
        if let promoted = value.promoted(to: type) { return promoted }
        if type == .string { return value.text.map(Value.string) }
        if case .string(let text) = value { return Value(text: text, as: type) }
        return nil
    }
}

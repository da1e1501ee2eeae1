// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Casts of entities to derived types.
extension ExpressionChecker {
    func cast(_ cursor: inout Cursor, to name: String, _ names: [String]) throws(ExpressionError) {
        let type = try entityType(name, of: cursor.set, names.joined(separator: "/"))
        cursor.type = type
        if let condition = typeTest(type, of: cursor.set) { cursor.addGuard(condition) }
    }

    /// The wire name of a derived type of a set, `nil` for the set's own entity type.
    func entityType(_ qualified: String, of set: EntitySet, _ target: String) throws(ExpressionError) -> String? {
        let name = local(qualified)
        if let name, set.type.derivedTypes.contains(where: { $0.names.wire == name }) { return name }
        guard let name, set.type.names.wire == name else {
            throw ExpressionError(
                .unknownProperty,
                message: "'\(qualified)' is no type of \(set.names.wire).",
                target: target
            )
        }
        return nil
    }

    /// The name of a type in the model's namespace; `nil` for another namespace.
    func local(_ qualified: String) -> String? {
        guard let dot = qualified.lastIndex(of: ".") else { return qualified }
        guard qualified[..<dot].utf8.elementsEqual(model.namespace.utf8) else { return nil }
        return String(qualified[qualified.index(after: dot)...])
    }

    /// Whether an entity of a set is of a type or of one derived from it; `nil` when each is.
    func typeTest(_ type: String?, of set: EntitySet) -> TypedExpression? {
        guard let type, let discriminator = set.type.discriminator else { return nil }
        let property = set.type.properties[discriminator]
        let values = set.type.derivedTypes.filter { derived in
            var current: DerivedType? = derived
            while let type_ = current {
                if type_.names.wire == type { return true }
                current = type_.baseType.flatMap { name in set.type.derivedTypes.first { $0.names.wire == name } }
            }
            return false
        }.compactMap(\.discriminatorValue)
        let path = TypedExpression(
            node: .path(TypedExpression.Path(property: discriminator)),
            type: property.type,
            enumeration: property.enumeration
        )
        let list = values.map { TypedExpression.literal($0, property.type) }
        return TypedExpression(node: .isIn(path, list), type: .boolean)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Members of structured values.
extension ExpressionChecker {
    /// The value inside a structured value.
    func member(
        _ inner: [String],
        of value: TypedExpression,
        _ names: [String]
    ) throws(ExpressionError) -> TypedExpression {
        switch value.structure {
        case .complex(let type)?: return try member(inner[...], of: value, .complex(type), names)
        case .dynamic?: return TypedExpression(node: TypedExpression.Node.member(value, inner).flattened, type: nil)
        case .collection?, nil:
            if case .member = value.node, value.type == nil {
                return TypedExpression(node: TypedExpression.Node.member(value, inner).flattened, type: nil)
            }
            throw invalidPath(names + inner, "nothing can follow the value before '\(inner.first ?? "")'")
        }
    }

    /// The value inside a JSON value.
    func member(
        _ rest: ArraySlice<String>,
        of base: TypedExpression,
        _ element: Structure.Element,
        _ names: [String]
    ) throws(ExpressionError) -> TypedExpression {
        var result = base
        switch element {
        case .primitive(let type): result.type = type
        case .enumeration(let name): (result.type, result.enumeration) = (.string, name)
        case .complex(let name): (result.type, result.structure) = (.string, .complex(name))
        }
        guard let first = rest.first else { return result }
        guard case .complex(let name) = element, let type = model[complexType: name] else {
            throw invalidPath(names, "nothing can follow the value before '\(first)'")
        }
        var declared: Property?
        var current: ComplexType? = type
        while let type = current, declared == nil {
            declared = type.properties.first { $0.names.wire == first }
            current = type.baseType.flatMap { model[complexType: $0] }
        }
        guard let property = declared else {
            guard type.isOpen else {
                throw ExpressionError(
                    .unknownProperty,
                    message: "'\(name)' has no property '\(first)'.",
                    target: names.joined(separator: "/")
                )
            }
            return TypedExpression(node: TypedExpression.Node.member(base, Array(rest)).flattened, type: nil)
        }
        let value = TypedExpression(
            node: TypedExpression.Node.member(base, [first]).flattened,
            type: property.enumeration == nil ? property.type : .string,
            enumeration: property.enumeration,
            structure: property.structure
        )
        guard rest.count > 1 else { return value }
        switch property.structure {
        case .complex(let inner): return try member(rest.dropFirst(), of: value, .complex(inner), names)
        case .dynamic:
            return TypedExpression(
                node: TypedExpression.Node.member(value, Array(rest.dropFirst())).flattened,
                type: nil
            )
        case .collection, nil: throw invalidPath(names, "nothing can follow the value '\(first)'")
        }
    }
}

extension TypedExpression.Node {
    /// A member of a member as one path.
    var flattened: Self {
        guard case .member(let outer, let names) = self, case .member(let base, let before) = outer.node else {
            return self
        }
        return .member(base, before + names)
    }
}

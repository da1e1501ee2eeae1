// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CSDLJSONReader {
    /// The value of an annotation; a text is a string constant, whatever the term's type.
    func expression(_ tree: JSONTree) -> AnnotationExpression {
        switch tree {
        case .text(let text): .constant(.string, text)
        case .integer(let number): .constant(.int, "\(number)")
        case .number(let text): .constant(.decimal, text)
        case .flag(let flag): .bool(flag)
        case .null: .null
        case .list(let items): .collection(items.map { expression($0) })
        case .object(let members): dynamic(tree, members) ?? .record(record(tree, members))
        }
    }

    private func dynamic(_ tree: JSONTree, _ members: [(String, JSONTree)]) -> AnnotationExpression? {
        typealias Operation = AnnotationExpression.Operation
        for (member, value) in members where member.hasPrefix("$") {
            let name = String(member.dropFirst())
            var operation = Operation(name: name, annotations: annotations(tree))
            switch name {
            case "Path": return .path(.value, value.text ?? "")
            case "LabeledElementReference": return .labeledElementReference(value.text ?? "")
            case "Null": break
            case "Apply":
                operation.function = tree["$Function"]?.text
                operation.operands = value.items.map { expression($0) }
            case "Cast", "IsOf":
                var type = Schema.TypeUse(tree["$Type"]?.text ?? "Edm.String")
                type.isCollection = tree["$Collection"]?.isTrue == true
                addFacetsAsWritten(of: tree, to: &type)
                operation.type = type
                operation.operands = [expression(value)]
            case "LabeledElement":
                operation.label = tree["$Name"]?.text
                operation.operands = [expression(value)]
            case _ where Operation.ofSeveral.contains(name): operation.operands = value.items.map { expression($0) }
            case _ where Operation.ofOne.contains(name): operation.operands = [expression(value)]
            default: continue
            }
            return .operation(operation)
        }
        return nil
    }

    private func record(_ tree: JSONTree, _ members: [(String, JSONTree)]) -> AnnotationExpression.Record {
        var record = AnnotationExpression.Record(annotations: annotations(tree))
        if let type = (tree["@type"] ?? tree["@odata.type"])?.text {
            record.type = type.lastIndex(of: "#").map { String(type[type.index(after: $0)...]) } ?? type
        }
        for (name, value) in members where !name.contains("@") {
            record.members.append(
                AnnotationExpression.Member(
                    name: name,
                    value: expression(value),
                    annotations: annotations(tree, of: name)
                )
            )
        }
        return record
    }
}

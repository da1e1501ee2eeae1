// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CSDLJSONWriter {
    /// The JSON form of an annotation's value.
    ///
    /// - Parameter isOperand: whether it stands in a comparison, where an enumeration's member needs its type.
    func value(_ expression: AnnotationExpression, isOperand: Bool = false) -> JSONTree {
        switch expression {
        case .constant(.bool, let text): return .flag(text == "true" || text == "1")
        case .constant(.int, let text), .constant(.decimal, let text), .constant(.float, let text):
            return JSONTree.numeral(text) ?? .text(text)
        case .constant(.enumMember, let text): return enumeration(text, isOperand: isOperand)
        case .constant(_, let text): return .text(text)
        case .path(.value, let path): return .object([("$Path", .text(path))])
        case .path(_, let path): return .text(path)
        case .collection(let items): return .list(items.map { value($0) })
        case .labeledElementReference(let name): return .object([("$LabeledElementReference", .text(name))])
        case .record(let record): return self.record(record)
        case .operation(let operation): return self.operation(operation)
        }
    }

    /// `Ns.Pattern/Red Ns.Pattern/Striped` as `Red,Striped`.
    private func enumeration(_ text: String, isOperand: Bool) -> JSONTree {
        let parts = text.split(whereSeparator: \.isWhitespace)
        let names = parts.map { part in part.lastIndex(of: "/").map { part[part.index(after: $0)...] } ?? part }
        let value = JSONTree.text(names.joined(separator: ","))
        guard isOperand, let first = parts.first, let slash = first.lastIndex(of: "/") else { return value }
        return .object([("$Cast", value), ("$Type", .text(String(first[..<slash])))])
    }

    private func record(_ record: AnnotationExpression.Record) -> JSONTree {
        var members: [Member] = []
        if let type = record.type {
            members.append((document.version == "4.0" ? "@odata.type" : "@type", .text(typeURI(type))))
        }
        for member in record.members {
            members.append((member.name, member.value.map { value($0) } ?? .flag(true)))
            add(member.annotations, to: &members, of: member.name)
        }
        add(record.annotations, to: &members)
        return .object(members)
    }

    /// `#Ns.Type`, after the address of the document that has the type where it is another.
    private func typeURI(_ type: String) -> String {
        let full = resolved(type)
        for reference in document.references {
            for include in reference.includes {
                if full.hasPrefix(include.namespace + "."), !full.dropFirst(include.namespace.count + 1).contains(".") {
                    return "\(reference.uri)#\(type)"
                }
            }
        }
        return "#\(type)"
    }

    private func operation(_ operation: AnnotationExpression.Operation) -> JSONTree {
        typealias Operation = AnnotationExpression.Operation
        let isComparison = Operation.ofSeveral.contains(operation.name) && operation.name != "If"
        var operands: [JSONTree] { operation.operands.map { value($0, isOperand: isComparison) } }
        var operand: JSONTree { operands.first ?? .null }
        var members: [Member] = []
        switch operation.name {
        case "Null":
            guard !operation.annotations.isEmpty else { return .null }
            members.append(("$Null", .null))
        case "Apply":
            members.append(("$Apply", .list(operands)))
            add("$Function", operation.function, to: &members)
        case "Cast", "IsOf":
            members.append(("$\(operation.name)", operand))
            if let type = operation.type { addAsWritten(type, to: &members) }
        case "LabeledElement":
            members.append(("$LabeledElement", operand))
            add("$Name", operation.label, to: &members)
        case _ where Operation.ofSeveral.contains(operation.name):
            members.append(("$\(operation.name)", .list(operands)))
        default:
            members.append(("$\(operation.name)", operand))
        }
        add(operation.annotations, to: &members)
        return .object(members)
    }

    private func addAsWritten(_ type: Schema.TypeUse, to members: inout [Member]) {
        if type.name != "Edm.String" { members.append(("$Type", .text(type.name))) }
        add("$Collection", type.isCollection, to: &members)
        for (name, text) in [("$MaxLength", type.maxLength), ("$Precision", type.precision), ("$Scale", type.scale)] {
            guard let text else { continue }
            members.append((name, Int(text).map(JSONTree.integer) ?? .text(text)))
        }
        if type.isUnicode == "false" { members.append(("$Unicode", .flag(false))) }
        add("$SRID", type.srid, to: &members)
    }
}

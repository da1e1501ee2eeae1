// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CSDLXMLReader {
    private typealias Operation = AnnotationExpression.Operation

    mutating func annotation(_ element: Element) throws(ODataError) -> Annotation {
        var annotation = Annotation(try required("Term", of: element), qualifier: element["Qualifier"])
        annotation.value = inline(element)
        let (operands, annotations) = try self.operands()
        annotation.value = annotation.value ?? operands.first
        annotation.annotations = annotations
        return annotation
    }

    /// The child expressions and annotations of the element that is open.
    private mutating func operands() throws(ODataError) -> ([AnnotationExpression], [Annotation]) {
        var operands: [AnnotationExpression] = []
        var annotations: [Annotation] = []
        try children { reader, element throws(ODataError) in
            if element.name == "Annotation" {
                annotations.append(try reader.annotation(element))
            } else if let operand = try reader.expression(element) {
                operands.append(operand)
            }
        }
        return (operands, annotations)
    }

    /// The constant or path that stands in an attribute, or `nil`.
    private func inline(_ element: Element) -> AnnotationExpression? {
        for (name, value) in element.attributes {
            if let kind = AnnotationExpression.Constant(rawValue: name) { return .constant(kind, value) }
            if let kind = AnnotationExpression.PathKind(rawValue: name) { return .path(kind, value) }
            if name == "UrlRef" { return .operation(Operation(name: "UrlRef", operands: [.string(value)])) }
        }
        return nil
    }

    private mutating func expression(_ element: Element) throws(ODataError) -> AnnotationExpression? {
        let name = element.name
        if let kind = AnnotationExpression.Constant(rawValue: name) {
            let text = try xml.text()
            return .constant(kind, kind == .string ? text : Self.trimmed(text))
        }
        if let kind = AnnotationExpression.PathKind(rawValue: name) {
            return .path(kind, Self.trimmed(try xml.text()))
        }
        switch name {
        case "Collection": return .collection(try operands().0)
        case "Record": return .record(try record(element))
        case "LabeledElementReference": return .labeledElementReference(Self.trimmed(try xml.text()))
        case "Null", "Apply", "Cast", "IsOf", "LabeledElement": break
        case _ where Operation.ofSeveral.contains(name) || Operation.ofOne.contains(name): break
        default:
            try skip(element)
            return nil
        }
        var operation = Operation(name: name)
        operation.function = name == "Apply" ? element["Function"] : nil
        operation.label = name == "LabeledElement" ? element["Name"] : nil
        if name == "Cast" || name == "IsOf" { operation.type = typeUse(element, element["Type"] ?? "Edm.String") }
        let (operands, annotations) = try self.operands()
        operation.operands = (inline(element).map { [$0] } ?? []) + operands
        operation.annotations = annotations
        return .operation(operation)
    }

    private mutating func record(_ element: Element) throws(ODataError) -> AnnotationExpression.Record {
        var record = AnnotationExpression.Record(type: element["Type"])
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "PropertyValue":
                var member = AnnotationExpression.Member(name: try reader.required("Property", of: element))
                member.value = reader.inline(element)
                let (operands, annotations) = try reader.operands()
                member.value = member.value ?? operands.first
                member.annotations = annotations
                record.members.append(member)
            case "Annotation": record.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return record
    }

    private static func trimmed(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

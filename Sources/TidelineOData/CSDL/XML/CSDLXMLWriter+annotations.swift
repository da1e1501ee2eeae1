// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CSDLXMLWriter {
    func write(_ annotations: [Annotation], into xml: inout XMLWriter) {
        for annotation in annotations {
            let names = [("Term", annotation.term), ("Qualifier", annotation.qualifier)]
            let (attributes, rest) = Self.split(annotation.value)
            xml.element("Annotation", names + attributes) { xml in
                write(annotation.annotations, into: &xml)
                if let rest { write(rest, into: &xml) }
            }
        }
    }

    /// What of a value stands in an attribute, and what in an element.
    private static func split(
        _ value: AnnotationExpression?
    ) -> (attributes: [(String, String?)], rest: AnnotationExpression?) {
        switch value {
        case .constant(let kind, let text): ([(kind.rawValue, text)], nil)
        case .path(let kind, let text): ([(kind.rawValue, text)], nil)
        default: ([], value)
        }
    }

    private func write(_ expression: AnnotationExpression, into xml: inout XMLWriter) {
        switch expression {
        case .constant(let kind, let text): xml.element(kind.rawValue, text: text)
        case .path(let kind, let text): xml.element(kind.rawValue, text: text)
        case .labeledElementReference(let name): xml.element("LabeledElementReference", text: name)
        case .collection(let items):
            xml.element("Collection", []) { xml in
                for item in items { write(item, into: &xml) }
            }
        case .record(let record):
            xml.element("Record", [("Type", record.type)]) { xml in
                for member in record.members {
                    let (attributes, rest) = Self.split(member.value)
                    xml.element("PropertyValue", [("Property", member.name)] + attributes) { xml in
                        write(member.annotations, into: &xml)
                        if let rest { write(rest, into: &xml) }
                    }
                }
                write(record.annotations, into: &xml)
            }
        case .operation(let operation): write(operation, into: &xml)
        }
    }

    private func write(_ operation: AnnotationExpression.Operation, into xml: inout XMLWriter) {
        var attributes: [(String, String?)] = [("Function", operation.function), ("Name", operation.label)]
        if let type = operation.type { attributes += [("Type", type.text)] + facets(type) }
        xml.element(operation.name, attributes) { xml in
            write(operation.annotations, into: &xml)
            for operand in operation.operands { write(operand, into: &xml) }
        }
    }
}

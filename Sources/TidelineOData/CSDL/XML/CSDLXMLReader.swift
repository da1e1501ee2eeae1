// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads a CSDL XML document; what the standard does not know is passed over with a warning.
struct CSDLXMLReader {
    typealias Element = XMLPullReader.Element

    var xml: XMLPullReader
    var warnings: [String] = []
    private var document = CSDLDocument()

    private init(_ bytes: [UInt8]) throws(ODataError) {
        xml = try XMLPullReader(bytes)
    }

    /// The document, and what in it was passed over.
    static func read(_ bytes: [UInt8]) throws(ODataError) -> (document: CSDLDocument, warnings: [String]) {
        var reader = try CSDLXMLReader(bytes)
        try reader.root()
        return (reader.document, reader.warnings)
    }

    private mutating func root() throws(ODataError) {
        guard case .start(let edmx) = try xml.next(), edmx.name == "Edmx" else {
            throw ODataError(.invalidMetadata, "The document is not CSDL: its root is not ‘Edmx’.")
        }
        document.version = edmx["Version"] ?? "4.0"
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "Reference": reader.document.references.append(try reader.reference(element))
            case "DataServices":
                try reader.children { reader, element throws(ODataError) in
                    guard element.name == "Schema" else { return try reader.skip(element) }
                    reader.document.schemas.append(try reader.schema(element))
                }
            default: try reader.skip(element)
            }
        }
        guard case .finished = try xml.next() else {
            throw ODataError(.invalidMetadata, "The document goes on after its root.")
        }
    }

    private mutating func reference(_ element: Element) throws(ODataError) -> CSDLDocument.Reference {
        var reference = CSDLDocument.Reference(uri: try required("Uri", of: element))
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "Include":
                var include = CSDLDocument.Include(
                    namespace: try reader.required("Namespace", of: element),
                    alias: element["Alias"]
                )
                include.annotations = try reader.annotations()
                reference.includes.append(include)
            case "IncludeAnnotations":
                reference.includedAnnotations.append(
                    CSDLDocument.IncludedAnnotations(
                        termNamespace: try reader.required("TermNamespace", of: element),
                        targetNamespace: element["TargetNamespace"],
                        qualifier: element["Qualifier"]
                    )
                )
                _ = try reader.annotations()
            case "Annotation": reference.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return reference
    }

    private mutating func schema(_ element: Element) throws(ODataError) -> Schema {
        var schema = Schema(namespace: try required("Namespace", of: element), alias: element["Alias"])
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "EntityType": schema.structuredTypes.append(try reader.structuredType(element, isEntity: true))
            case "ComplexType": schema.structuredTypes.append(try reader.structuredType(element, isEntity: false))
            case "EnumType": schema.enumerations.append(try reader.enumeration(element))
            case "TypeDefinition": schema.typeDefinitions.append(try reader.typeDefinition(element))
            case "Action": schema.operations.append(try reader.operation(element, isFunction: false))
            case "Function": schema.operations.append(try reader.operation(element, isFunction: true))
            case "Term": schema.terms.append(try reader.term(element))
            case "EntityContainer": schema.containers.append(try reader.container(element))
            case "Annotations": schema.targets.append(try reader.target(element))
            case "Annotation": schema.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return schema
    }

    private mutating func target(_ element: Element) throws(ODataError) -> Schema.Target {
        var target = Schema.Target(path: try required("Target", of: element), annotations: [])
        guard TargetPath.isWellFormed(target.path) else {
            throw ODataError(
                .invalidMetadata,
                "‘\(target.path)’ is not the path of a model element.",
                target: target.path,
                at: xml.offset
            )
        }
        let qualifier = element["Qualifier"]
        target.annotations = try annotations()
        if let qualifier {
            for place in target.annotations.indices { target.annotations[place].qualifier = qualifier }
        }
        return target
    }

    // MARK: Elements

    /// Calls `body` for each child element; it has to read to the end of the child.
    mutating func children(
        _ body: (inout CSDLXMLReader, Element) throws(ODataError) -> Void
    ) throws(ODataError) {
        while true {
            switch try xml.next() {
            case .start(let element): try body(&self, element)
            case .end, .finished: return
            }
        }
    }

    /// The annotations among the children of the element that is open.
    mutating func annotations() throws(ODataError) -> [Annotation] {
        var annotations: [Annotation] = []
        try children { reader, element throws(ODataError) in
            guard element.name == "Annotation" else { return try reader.skip(element) }
            annotations.append(try reader.annotation(element))
        }
        return annotations
    }

    /// Passes over an element that has no place here, to its end.
    mutating func skip(_ element: Element) throws(ODataError) {
        warn("The element ‘\(element.name)’ is passed over.")
        var depth = 1
        while depth > 0 {
            switch try xml.next() {
            case .start: depth += 1
            case .end: depth -= 1
            case .finished: return
            }
        }
    }

    mutating func warn(_ text: String) {
        if warnings.count < 1000 { warnings.append(text) }
    }

    func required(_ name: String, of element: Element) throws(ODataError) -> String {
        guard let value = element[name], !value.isEmpty else {
            throw ODataError(
                .invalidMetadata,
                "The element ‘\(element.name)’ has no attribute ‘\(name)’.",
                target: element.name,
                at: xml.offset
            )
        }
        return value
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Writes a document as CSDL XML.
///
/// Source: OData CSDL XML Representation 4.01.
struct CSDLXMLWriter {
    let document: CSDLDocument

    func bytes() -> [UInt8] {
        var xml = XMLWriter()
        let root = [
            ("xmlns:edmx", "http://docs.oasis-open.org/odata/ns/edmx"),
            ("xmlns", "http://docs.oasis-open.org/odata/ns/edm"), ("Version", document.version),
        ]
        xml.element("edmx:Edmx", root) { xml in
            for reference in document.references { write(reference, into: &xml) }
            xml.element("edmx:DataServices", []) { xml in
                for schema in document.schemas { write(schema, into: &xml) }
            }
        }
        return xml.bytes
    }

    private func write(_ reference: CSDLDocument.Reference, into xml: inout XMLWriter) {
        xml.element("edmx:Reference", [("Uri", reference.uri)]) { xml in
            for include in reference.includes {
                let attributes = [("Namespace", include.namespace), ("Alias", include.alias)]
                xml.element("edmx:Include", attributes) { xml in
                    write(include.annotations, into: &xml)
                }
            }
            for included in reference.includedAnnotations {
                xml.element(
                    "edmx:IncludeAnnotations",
                    [
                        ("TermNamespace", included.termNamespace), ("TargetNamespace", included.targetNamespace),
                        ("Qualifier", included.qualifier),
                    ]
                )
            }
            write(reference.annotations, into: &xml)
        }
    }

    private func write(_ schema: Schema, into xml: inout XMLWriter) {
        xml.element("Schema", [("Namespace", schema.namespace), ("Alias", schema.alias)]) { xml in
            for type in schema.structuredTypes { write(type, into: &xml) }
            for type in schema.enumerations { write(type, into: &xml) }
            for definition in schema.typeDefinitions {
                var attributes: [(String, String?)] = [
                    ("Name", definition.name), ("UnderlyingType", definition.underlyingType.text),
                ]
                attributes += facets(definition.underlyingType)
                xml.element("TypeDefinition", attributes) { write(definition.annotations, into: &$0) }
            }
            for operation in schema.operations { write(operation, into: &xml) }
            for term in schema.terms { write(term, into: &xml) }
            for container in schema.containers { write(container, into: &xml) }
            for target in schema.targets {
                xml.element("Annotations", [("Target", target.path)]) { write(target.annotations, into: &$0) }
            }
            write(schema.annotations, into: &xml)
        }
    }

    private func write(_ type: Schema.StructuredType, into xml: inout XMLWriter) {
        let attributes = [
            ("Name", type.name), ("BaseType", type.baseType), ("Abstract", type.isAbstract ? "true" : nil),
            ("OpenType", type.isOpen ? "true" : nil), ("HasStream", type.hasStream ? "true" : nil),
        ]
        xml.element(type.isEntity ? "EntityType" : "ComplexType", attributes) { xml in
            if !type.key.isEmpty {
                xml.element("Key", []) { xml in
                    for part in type.key {
                        xml.element("PropertyRef", [("Name", part.path), ("Alias", part.alias)])
                    }
                }
            }
            for property in type.properties {
                let attributes = [("Name", property.name)] + use(property.type)
                xml.element("Property", attributes + [("DefaultValue", property.defaultValue)]) { xml in
                    write(property.annotations, into: &xml)
                }
            }
            for navigation in type.navigationProperties { write(navigation, into: &xml) }
            write(type.annotations, into: &xml)
        }
    }

    private func write(_ navigation: Schema.NavigationProperty, into xml: inout XMLWriter) {
        let attributes = [
            ("Name", navigation.name), ("Type", navigation.type.text),
            ("Nullable", navigation.type.isCollection ? nil : navigation.type.isNullable == false ? "false" : nil),
            ("Partner", navigation.partner), ("ContainsTarget", navigation.containsTarget ? "true" : nil),
        ]
        xml.element("NavigationProperty", attributes) { xml in
            for constraint in navigation.constraints {
                let attributes = [
                    ("Property", constraint.property), ("ReferencedProperty", constraint.referencedProperty),
                ]
                xml.element("ReferentialConstraint", attributes) { write(constraint.annotations, into: &$0) }
            }
            if let rule = navigation.onDelete {
                xml.element("OnDelete", [("Action", rule.action)]) { write(rule.annotations, into: &$0) }
            }
            write(navigation.annotations, into: &xml)
        }
    }

    private func write(_ type: Schema.EnumerationType, into xml: inout XMLWriter) {
        let attributes = [
            ("Name", type.name), ("UnderlyingType", type.underlyingType), ("IsFlags", type.isFlags ? "true" : nil),
        ]
        xml.element("EnumType", attributes) { xml in
            for member in type.members {
                xml.element("Member", [("Name", member.name), ("Value", "\(member.value)")]) { xml in
                    write(member.annotations, into: &xml)
                }
            }
            write(type.annotations, into: &xml)
        }
    }

    private func write(_ operation: Schema.Operation, into xml: inout XMLWriter) {
        let attributes = [
            ("Name", operation.name), ("IsBound", operation.isBound ? "true" : nil),
            ("IsComposable", operation.isComposable ? "true" : nil), ("EntitySetPath", operation.entitySetPath),
        ]
        xml.element(operation.isFunction ? "Function" : "Action", attributes) { xml in
            for parameter in operation.parameters {
                xml.element("Parameter", [("Name", parameter.name)] + use(parameter.type)) { xml in
                    write(parameter.annotations, into: &xml)
                }
            }
            if let type = operation.returnType {
                xml.element("ReturnType", use(type.type)) { write(type.annotations, into: &$0) }
            }
            write(operation.annotations, into: &xml)
        }
    }

    private func write(_ term: Schema.Term, into xml: inout XMLWriter) {
        var attributes = [("Name", term.name)] + use(term.type)
        attributes += [
            ("BaseTerm", term.baseTerm), ("DefaultValue", term.defaultValue),
            ("AppliesTo", term.appliesTo.isEmpty ? nil : term.appliesTo.joined(separator: " ")),
        ]
        xml.element("Term", attributes) { write(term.annotations, into: &$0) }
    }

    private func write(_ container: Schema.Container, into xml: inout XMLWriter) {
        xml.element("EntityContainer", [("Name", container.name), ("Extends", container.extends)]) { xml in
            for child in container.children { write(child, into: &xml) }
            write(container.annotations, into: &xml)
        }
    }

    private func write(_ child: Schema.ContainerChild, into xml: inout XMLWriter) {
        let attribute =
            switch child.kind {
            case .entitySet: "EntityType"
            case .singleton: "Type"
            case .actionImport: "Action"
            case .functionImport: "Function"
            }
        let attributes = [
            ("Name", child.name), (attribute, child.type), ("Nullable", child.isNullable ? "true" : nil),
            ("EntitySet", child.entitySet),
            ("IncludeInServiceDocument", child.isInServiceDocument.map { $0 ? "true" : "false" }),
        ]
        xml.element(child.kind.rawValue, attributes) { xml in
            for binding in child.bindings {
                xml.element("NavigationPropertyBinding", [("Path", binding.path), ("Target", binding.target)])
            }
            write(child.annotations, into: &xml)
        }
    }

    // MARK: Types

    private func use(_ type: Schema.TypeUse) -> [(String, String?)] {
        [("Type", type.text), ("Nullable", type.isNullable.flatMap { nullable($0, type) })] + facets(type)
    }

    /// `true` is the default, but for collections, whose default is not known.
    private func nullable(_ isNullable: Bool, _ type: Schema.TypeUse) -> String? {
        isNullable ? (type.isCollection ? "true" : nil) : "false"
    }

    func facets(_ type: Schema.TypeUse) -> [(String, String?)] {
        [
            ("MaxLength", type.maxLength), ("Unicode", type.isUnicode), ("Precision", type.precision),
            ("Scale", type.scale), ("SRID", type.srid),
        ]
    }
}

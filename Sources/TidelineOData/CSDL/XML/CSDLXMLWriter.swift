// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Writes a schema as a CSDL XML document.
struct CSDLXMLWriter {
    let schema: Schema
    let options: CSDLOptions

    func document() -> [UInt8] {
        var xml = XMLWriter()
        let root =
            [("xmlns:edmx", "http://docs.oasis-open.org/odata/ns/edmx"), ("Version", "4.01")] as [(String, String?)]
        xml.element("edmx:Edmx", root) { xml in
            for reference in Vocabulary.references {
                xml.element("edmx:Reference", [("Uri", reference.uri + ".xml")]) { xml in
                    xml.element("edmx:Include", [("Namespace", reference.namespace), ("Alias", reference.alias)])
                }
            }
            xml.element("edmx:DataServices", []) { xml in
                let attributes = [
                    ("xmlns", "http://docs.oasis-open.org/odata/ns/edm"), ("Namespace", schema.namespace),
                ]
                xml.element("Schema", attributes) { xml in
                    for type in schema.entityTypes { write(type, into: &xml) }
                    writeContainer(into: &xml)
                }
            }
        }
        return xml.bytes
    }

    private func write(_ type: Schema.EntityType, into xml: inout XMLWriter) {
        xml.element("EntityType", [("Name", type.name)]) { xml in
            xml.element("Key", []) { xml in
                for name in type.key { xml.element("PropertyRef", [("Name", name)]) }
            }
            for property in type.properties { write(property, into: &xml) }
            for navigation in type.navigationProperties { write(navigation, into: &xml) }
            guard !type.alternateKeys.isEmpty else { return }
            xml.element("Annotation", [("Term", "Core.AlternateKeys")]) { xml in
                xml.element("Collection", []) { xml in
                    for key in type.alternateKeys { writeAlternateKey(key, into: &xml) }
                }
            }
        }
    }

    private func writeAlternateKey(_ key: [String], into xml: inout XMLWriter) {
        xml.element("Record", []) { xml in
            xml.element("PropertyValue", [("Property", "Key")]) { xml in
                xml.element("Collection", []) { xml in
                    for name in key {
                        xml.element("Record", []) { xml in
                            xml.element("PropertyValue", [("Property", "Name"), ("PropertyPath", name)])
                            xml.element("PropertyValue", [("Property", "Alias"), ("String", name)])
                        }
                    }
                }
            }
        }
    }

    private func write(_ property: Schema.Property, into xml: inout XMLWriter) {
        let attributes = [
            ("Name", property.name), ("Type", property.type), ("Nullable", property.isNullable ? nil : "false"),
            ("MaxLength", property.maxLength), ("Precision", property.precision), ("Scale", property.scale),
            ("DefaultValue", property.defaultValue),
        ]
        xml.element("Property", attributes) { xml in
            switch property.generation {
            case .none: break
            case .onInsert: xml.element("Annotation", [("Term", "Core." + Vocabulary.computedDefaultValue)])
            case .always: xml.element("Annotation", [("Term", "Core." + Vocabulary.computed)])
            }
        }
    }

    private func write(_ navigation: Schema.NavigationProperty, into xml: inout XMLWriter) {
        let attributes = [
            ("Name", navigation.name),
            ("Type", navigation.isCollection ? "Collection(\(navigation.type))" : navigation.type),
            ("Nullable", navigation.isCollection || navigation.isNullable ? nil : "false"),
            ("Partner", navigation.partner),
        ]
        xml.element("NavigationProperty", attributes) { xml in
            for constraint in navigation.constraints {
                xml.element(
                    "ReferentialConstraint",
                    [("Property", constraint.property), ("ReferencedProperty", constraint.referencedProperty)]
                )
            }
            if let rule = navigation.onDelete { xml.element("OnDelete", [("Action", rule)]) }
        }
    }

    private func writeContainer(into xml: inout XMLWriter) {
        xml.element("EntityContainer", [("Name", schema.container)]) { xml in
            for set in schema.entitySets {
                xml.element("EntitySet", [("Name", set.name), ("EntityType", set.type)]) { xml in
                    for binding in set.bindings {
                        xml.element(
                            "NavigationPropertyBinding",
                            [("Path", binding.path), ("Target", binding.target)]
                        )
                    }
                    if set.isReadOnly {
                        for (operation, flag) in CSDLCapabilities.readOnly {
                            restriction(operation, flag, into: &xml)
                        }
                    }
                }
            }
            xml.element("Annotation", [("Term", "Core.ODataVersions"), ("String", "4.0 4.01")])
            for capability in CSDLCapabilities.container(options) { write(capability, into: &xml) }
        }
    }

    private func restriction(_ term: String, _ flag: String, into xml: inout XMLWriter) {
        xml.element("Annotation", [("Term", "Capabilities." + term)]) { xml in
            xml.element("Record", []) { xml in
                xml.element("PropertyValue", [("Property", flag), ("Bool", "false")])
            }
        }
    }

    private func write(_ capability: CSDLCapabilities.Capability, into xml: inout XMLWriter) {
        switch capability.value {
        case .flag(let flag):
            xml.element("Annotation", [("Term", capability.term), ("Bool", flag ? "true" : "false")])
        case .integer(let number):
            xml.element("Annotation", [("Term", capability.term), ("Int", "\(number)")])
        case .record(let members):
            xml.element("Annotation", [("Term", capability.term)]) { xml in
                xml.element("Record", []) { xml in
                    for (name, value) in members {
                        switch value {
                        case .flag(let flag):
                            xml.element("PropertyValue", [("Property", name), ("Bool", flag ? "true" : "false")])
                        case .integer(let number):
                            xml.element("PropertyValue", [("Property", name), ("Int", "\(number)")])
                        }
                    }
                }
            }
        }
    }
}

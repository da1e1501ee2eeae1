// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Writes `$metadata` of v2: EDMX 1.0 with associations.
///
/// Source: MC-CSDL, version 2.0; MS-ODATA, section 2.2.3.7.
public enum V2Metadata {
    /// The document of a model, without what v2 cannot say.
    public static func write(_ context: V2Context) -> [UInt8] {
        var xml = XMLWriter.likeVersion2()
        let model = context.model
        let sets = model.sets.filter { !$0.isContained }
        xml.element("edmx:Edmx", [("xmlns:edmx", "http://schemas.microsoft.com/ado/2007/06/edmx"), ("Version", "1.0")])
        {
            $0.element(
                "edmx:DataServices",
                [("xmlns:m", V2Body.metadata), ("m:DataServiceVersion", "2.0")]
            ) { xml in
                let schema = "http://schemas.microsoft.com/ado/2008/09/edm"
                xml.element("Schema", [("xmlns", schema), ("Namespace", model.namespace)]) { xml in
                    for set in sets { entityType(set, context, to: &xml) }
                    let complexTypes = complexTypes(sets)
                    for type in complexTypes { complexType(type.name, type.set, type.place, context, to: &xml) }
                    let operations = model.operations.filter { context.reasonAgainst($0) == nil }
                    results(operations, besides: Set(complexTypes.map(\.name)), context, to: &xml)
                    let associations = V2Association.all(context)
                    for association in associations { association.write(model.namespace, to: &xml) }
                    xml.element(
                        "EntityContainer",
                        [("Name", model.container), ("m:IsDefaultEntityContainer", "true")]
                    ) { xml in
                        for set in sets {
                            let type = "\(model.namespace).\(set.type.names.wire)"
                            xml.element("EntitySet", [("Name", set.names.wire), ("EntityType", type)])
                        }
                        for association in associations { association.writeSet(model.namespace, to: &xml) }
                        for operation in operations { imports(of: operation, context, to: &xml) }
                    }
                }
            }
        }
        return xml.bytes
    }

    /// The complex types that operations give, once each.
    private static func results(
        _ operations: [EdmOperation],
        besides known: Set<String>,
        _ context: V2Context,
        to xml: inout XMLWriter
    ) {
        var names = known
        for operation in operations {
            guard case .complex(let name)? = operation.returnType?.element, names.insert(name).inserted else {
                continue
            }
            xml.element("ComplexType", [("Name", name)]) { xml in
                for property in context.model.properties(ofComplex: name) {
                    self.property(property, isNullable: property.isNullable, context, to: &xml)
                }
            }
        }
    }

    /// Source: MC-CSDL, section 2.1.20, `FunctionImport`; MS-ODATA, `m:HttpMethod`.
    private static func imports(of operation: EdmOperation, _ context: V2Context, to xml: inout XMLWriter) {
        for name in operation.imports.map(\.name) {
            let attributes: [(String, String?)] = [
                ("Name", name), ("ReturnType", operation.returnType.map { context.type(of: $0) }),
                ("EntitySet", operation.returnType?.entitySet),
                ("m:HttpMethod", operation.kind == .function ? "GET" : "POST"),
            ]
            xml.element("FunctionImport", attributes) { xml in
                for parameter in operation.parameters where context.isExpressible(parameter) {
                    xml.element(
                        "Parameter",
                        [
                            ("Name", parameter.names.wire), ("Type", context.type(of: parameter.type)), ("Mode", "In"),
                            ("Nullable", parameter.isOptional || parameter.type.isNullable ? nil : "false"),
                        ]
                    )
                }
            }
        }
    }

    private static func property(
        _ property: Property,
        isNullable: Bool,
        _ context: V2Context,
        to xml: inout XMLWriter
    ) {
        xml.element(
            "Property",
            [
                ("Name", property.names.wire), ("Type", context.type(of: property)),
                ("Nullable", isNullable ? nil : "false"), ("MaxLength", property.maxLength.map { "\($0)" }),
                ("Precision", property.precision.map { "\($0)" }), ("Scale", property.scale.map { "\($0)" }),
            ]
        )
    }

    private static func entityType(_ set: EntitySet, _ context: V2Context, to xml: inout XMLWriter) {
        let type = set.type
        xml.element("EntityType", [("Name", type.names.wire)]) { xml in
            xml.element("Key", []) { xml in
                for place in type.key { xml.element("PropertyRef", [("Name", type.properties[place].names.wire)]) }
            }
            members(set, in: nil, context, to: &xml)
            for navigation in type.navigationProperties where context.isVisible(navigation) {
                guard let end = V2Association.end(of: navigation, in: set, context) else { continue }
                xml.element(
                    "NavigationProperty",
                    [
                        ("Name", navigation.names.wire),
                        ("Relationship", "\(context.model.namespace).\(end.association)"), ("FromRole", end.from),
                        ("ToRole", end.to),
                    ]
                )
            }
        }
    }

    private static func members(_ set: EntitySet, in container: Int?, _ context: V2Context, to xml: inout XMLWriter) {
        for property in set.type.properties where property.container == container && context.isVisible(property) {
            let isNullable = property.isNullable || property.declaringType != nil
            self.property(property, isNullable: isNullable, context, to: &xml)
        }
        for complex in set.type.complexProperties where complex.parent == container {
            xml.element(
                "Property",
                [
                    ("Name", complex.names.wire), ("Type", "\(context.model.namespace).\(complex.type)"),
                    ("Nullable", "false"),
                ]
            )
        }
    }

    /// Each complex type of a group of columns, once.
    private static func complexTypes(_ sets: [EntitySet]) -> [(name: String, set: EntitySet, place: Int)] {
        var found: [(name: String, set: EntitySet, place: Int)] = []
        for set in sets {
            for (place, complex) in set.type.complexProperties.enumerated()
            where !found.contains(where: { $0.name == complex.type }) {
                found.append((complex.type, set, place))
            }
        }
        return found
    }

    private static func complexType(
        _ name: String,
        _ set: EntitySet,
        _ place: Int,
        _ context: V2Context,
        to xml: inout XMLWriter
    ) {
        xml.element("ComplexType", [("Name", name)]) { members(set, in: place, context, to: &$0) }
    }
}

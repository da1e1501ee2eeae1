// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The parameters of requests.
enum OpenAPIParameters {
    typealias Member = (String, JSONTree)

    // MARK: Keys

    /// The name of a key's parameter: that of the property.
    static func keyName(_ property: Property, of type: EntityType) -> String { property.names.wire }

    static func key(_ type: EntityType) -> [JSONTree] {
        type.key.map { place in
            let property = type.properties[place]
            var schema = OpenAPIPrimitives.schema(property, type: property.type, isWritten: true)
            if property.type == .string {
                // A quote is doubled, and a slash would end the segment.
                schema.removeAll { $0.0 == "pattern" }
                schema.append(("pattern", .text("^([^'/\\\\\\u0000-\\u001f])*$")))
                schema.append(("minLength", .integer(1)))
            }
            return parameter(
                keyName(property, of: type),
                "path",
                schema,
                text: "The key of the entity.",
                isRequired: true
            )
        }
    }

    // MARK: Query options

    static let filter = parameter(
        "$filter",
        "query",
        [("type", .text("string"))],
        text: "Which entities, as an expression: `Total gt 100 and startswith(Name,'A')`."
    )

    /// The options of a collection.
    static func query(_ type: EntityType, in model: EntityModel, _ capabilities: ServiceCapabilities) -> [JSONTree] {
        let whole: [Member] = [
            ("type", .text("integer")), ("minimum", .integer(0)), ("maximum", .integer(Int(Int32.max))),
        ]
        var parameters = [filter]
        let sortable = names(of: type) { $0.structure == nil && $0.type != .binary && !$0.type.isSpatial }
        if !sortable.isEmpty {
            let orders = sortable.flatMap { [$0, "\($0) desc"] }
            parameters.append(list("$orderby", orders, "In which order."))
        }
        parameters.append(parameter("$top", "query", whole, text: "How many at most."))
        parameters.append(parameter("$skip", "query", whole, text: "How many to pass over first."))
        parameters.append(
            parameter("$count", "query", [("type", .text("boolean"))], text: "Whether to tell how many there are.")
        )
        if capabilities.searches, !type.searchProperties.isEmpty {
            let word: [Member] = [("type", .text("string")), ("pattern", .text("^[a-z]{3,20}$"))]
            parameters.append(parameter("$search", "query", word, text: "Words that the texts have."))
        }
        return parameters + shape(type, in: model)
    }

    /// The options that say what of an entity is answered.
    static func shape(_ type: EntityType, in model: EntityModel) -> [JSONTree] {
        var parameters = [list("$select", names(of: type) { $0.stream == nil }, "Which properties.")]
        let navigations = type.navigationProperties
            .filter { $0.declaringType == nil && model[set: $0.targetSet] != nil }
            .map(\.names.wire)
        if !navigations.isEmpty {
            parameters.append(list("$expand", navigations, "Which related entities are answered in line."))
        }
        return parameters
    }

    private static func names(of type: EntityType, where condition: (Property) -> Bool) -> [String] {
        type.properties.filter { property in
            property.container == nil && property.declaringType == nil && !property.isLocalOnly
                && property.structure != .dynamic && property.stream == nil && condition(property)
        }
        .map(\.names.wire)
    }

    private static func list(_ name: String, _ values: [String], _ text: String) -> JSONTree {
        let items: JSONTree = .object([("type", .text("string")), ("enum", .list(values.map(JSONTree.text)))])
        let schema: [Member] = [
            ("type", .text("array")), ("items", items), ("minItems", .integer(1)), ("uniqueItems", .flag(true)),
        ]
        guard case .object(let members) = parameter(name, "query", schema, text: text) else { return .null }
        return .object(members + [("style", .text("form")), ("explode", .flag(false))])
    }

    // MARK: Headers

    static let ifMatch = parameter(
        "If-Match",
        "header",
        [("type", .text("string")), ("pattern", .text(tags))],
        text: "The change is made only where the entity still has one of these ETags."
    )

    static let ifNoneMatch = parameter(
        "If-None-Match",
        "header",
        [("type", .text("string")), ("pattern", .text(tags))],
        text: "The entity is answered only where it has none of these ETags."
    )

    private static let tags = #"^(\*|(W/)?"[!#-~]*")$"#

    private static func parameter(
        _ name: String,
        _ place: String,
        _ schema: [Member],
        text: String,
        isRequired: Bool = false
    ) -> JSONTree {
        .object([
            ("name", .text(name)), ("in", .text(place)), ("required", .flag(isRequired)), ("description", .text(text)),
            ("schema", .object(schema)),
        ])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The addresses of a domain and what can be done at each.
struct OpenAPIPaths {
    typealias Member = (String, JSONTree)

    let model: EntityModel
    let options: OpenAPIDocument.Options

    func tags() -> [JSONTree] {
        model.sets.filter { !$0.isContained }.map { set in
            var members: [Member] = [("name", .text(set.names.wire))]
            if let text = set.description ?? set.type.description { members.append(("description", .text(text))) }
            return .object(members)
        }
    }

    func all() -> [Member] {
        var paths: [Member] = [
            ("/", .object([("get", plain("The service document", "application/json", id: "service"))])),
            ("/$metadata", .object([("get", plain("The model", "application/xml", id: "metadata"))])),
        ]
        for set in model.sets where !set.isContained {
            paths.append(("/\(set.names.wire)", .object(self.set(set))))
            paths.append(("/\(set.names.wire)/$count", .object([("get", count(set))])))
            paths.append(("/\(set.names.wire)(\(Self.keyText(set.type)))", .object(entity(set))))
            paths += navigations(set)
        }
        for singleton in model.singletons {
            guard let set = model[set: singleton.set] else { continue }
            paths.append(("/\(singleton.names.wire)", .object(self.singleton(singleton, set))))
        }
        return paths + OpenAPIOperations(model).all().map { ($0.address, .object([call($0)])) }
    }

    // MARK: Sets

    private func set(_ set: EntitySet) -> [Member] {
        let name = set.names.wire
        var members: [Member] = [
            (
                "get",
                operation(
                    "List \(name)",
                    id: "list\(name)",
                    tag: name,
                    parameters: OpenAPIParameters.query(set.type, in: model, options.capabilities),
                    answers: [("200", answer("The entities", collection(set.type)))]
                )
            )
        ]
        guard !set.isReadOnly else { return members }
        let created = answer("The entity as it was stored", entitySchema(set.type))
        members.append(
            (
                "post",
                operation(
                    "Insert an entity",
                    id: "insert\(name)",
                    tag: name,
                    parameters: [],
                    body: set.type.mediaProperty == nil
                        ? body(OpenAPISchemas.reference(model.namespace, set.type.names.wire, .insert))
                        : media,
                    answers: [("201", created), ("204", .object([("description", .text("Inserted"))]))]
                )
            )
        )
        return members
    }

    private func count(_ set: EntitySet) -> JSONTree {
        let schema: JSONTree = .object([("type", .text("integer")), ("minimum", .integer(0))])
        return operation(
            "Count \(set.names.wire)",
            id: "count\(set.names.wire)",
            tag: set.names.wire,
            parameters: [OpenAPIParameters.filter],
            answers: [("200", answer("The number of entities", schema, type: "text/plain"))]
        )
    }

    private func entity(_ set: EntitySet) -> [Member] {
        let name = set.names.wire
        var members: [Member] = [
            ("parameters", .list(OpenAPIParameters.key(set.type))),
            (
                "get",
                operation(
                    "Read an entity",
                    id: "read\(name)",
                    tag: name,
                    parameters: OpenAPIParameters.shape(set.type, in: model) + [OpenAPIParameters.ifNoneMatch],
                    answers: [
                        ("200", answer("The entity", entitySchema(set.type))),
                        ("304", .object([("description", .text("Not changed"))])),
                    ]
                )
            ),
        ]
        guard !set.isReadOnly else { return members }
        members.append(
            (
                "patch",
                operation(
                    "Change an entity",
                    id: "update\(name)",
                    tag: name,
                    parameters: [OpenAPIParameters.ifMatch],
                    body: body(OpenAPISchemas.reference(model.namespace, set.type.names.wire, .update)),
                    answers: changed(set.type)
                )
            )
        )
        members.append(
            (
                "delete",
                operation(
                    "Delete an entity",
                    id: "delete\(name)",
                    tag: name,
                    parameters: [OpenAPIParameters.ifMatch],
                    answers: [("204", .object([("description", .text("Deleted"))]))]
                )
            )
        )
        return members
    }

    private func navigations(_ set: EntitySet) -> [Member] {
        set.type.navigationProperties.compactMap { navigation in
            guard navigation.declaringType == nil, let target = model[set: navigation.targetSet] else { return nil }
            let name = navigation.names.wire
            let query =
                navigation.isCollection
                ? OpenAPIParameters.query(target.type, in: model, options.capabilities)
                : OpenAPIParameters.shape(target.type, in: model)
            let schema = navigation.isCollection ? collection(target.type) : entitySchema(target.type)
            var answers = [("200", answer("What \(name) leads to", schema))]
            if !navigation.isCollection { answers.append(("204", .object([("description", .text("Null"))]))) }
            let get = operation(
                "Read \(name)",
                id: "read\(set.names.wire)_\(name)",
                tag: set.names.wire,
                parameters: query,
                answers: answers
            )
            return (
                "/\(set.names.wire)(\(Self.keyText(set.type)))/\(name)",
                .object([("parameters", .list(OpenAPIParameters.key(set.type))), ("get", get)])
            )
        }
    }

    private func singleton(_ singleton: Singleton, _ set: EntitySet) -> [Member] {
        let name = singleton.names.wire
        var members: [Member] = [
            (
                "get",
                operation(
                    "Read \(name)",
                    id: "read\(name)",
                    parameters: OpenAPIParameters.shape(set.type, in: model) + [OpenAPIParameters.ifNoneMatch],
                    answers: [
                        ("200", answer("The entity", entitySchema(set.type))),
                        ("204", .object([("description", .text("Null"))])),
                        ("304", .object([("description", .text("Not changed"))])),
                    ]
                )
            )
        ]
        guard !set.isReadOnly else { return members }
        members.append(
            (
                "patch",
                operation(
                    "Change \(name)",
                    id: "update\(name)",
                    parameters: [OpenAPIParameters.ifMatch],
                    body: body(OpenAPISchemas.reference(model.namespace, set.type.names.wire, .update)),
                    answers: changed(set.type)
                )
            )
        )
        return members
    }

    // MARK: Parts

    /// The key in an address: `{ID}`, `'{Code}'` or `OrderID={OrderID},Number={Number}`.
    static func keyText(_ type: EntityType) -> String {
        let parts = type.key.map { place -> (name: String, text: String) in
            let property = type.properties[place]
            let name = OpenAPIParameters.keyName(property, of: type)
            return (property.names.wire, property.type == .string ? "'{\(name)}'" : "{\(name)}")
        }
        return parts.count == 1 ? parts[0].text : parts.map { "\($0.name)=\($0.text)" }.joined(separator: ",")
    }

    private func changed(_ type: EntityType) -> [Member] {
        [
            ("200", answer("The entity as it was stored", entitySchema(type))),
            ("201", answer("The entity, which was not there and was inserted", entitySchema(type))),
            ("204", .object([("description", .text("Changed"))])),
        ]
    }

    private func entitySchema(_ type: EntityType) -> JSONTree {
        OpenAPISchemas.reference(model.namespace, type.names.wire, .answer)
    }

    private func collection(_ type: EntityType) -> JSONTree {
        .object([
            ("type", .text("object")), ("required", .list([.text("value")])),
            (
                "properties",
                .object([("value", .object([("type", .text("array")), ("items", entitySchema(type))]))])
            ),
        ])
    }

    private func answer(_ text: String, _ schema: JSONTree, type: String = "application/json") -> JSONTree {
        .object([
            ("description", .text(text)),
            ("content", .object([(type, .object([("schema", schema)]))])),
        ])
    }

    private func body(_ schema: JSONTree) -> JSONTree {
        .object([
            ("required", .flag(true)),
            ("content", .object([("application/json", .object([("schema", schema)]))])),
        ])
    }

    private var media: JSONTree {
        .object([("required", .flag(true)), ("content", .object([("application/octet-stream", .object([]))]))])
    }

    private func plain(_ text: String, _ type: String, id: String) -> JSONTree {
        let schema: JSONTree = .object([("type", .text(type == "application/json" ? "object" : "string"))])
        return operation(text, id: id, parameters: [], answers: [("200", answer(text, schema, type: type))])
    }

    func operation(
        _ summary: String,
        id: String,
        tag: String? = nil,
        parameters: [JSONTree],
        body: JSONTree? = nil,
        answers: [Member]
    ) -> JSONTree {
        var members: [Member] = [("summary", .text(summary)), ("operationId", .text(id))]
        if let tag { members.append(("tags", .list([.text(tag)]))) }
        if !parameters.isEmpty { members.append(("parameters", .list(parameters))) }
        if let body { members.append(("requestBody", body)) }
        let failure: JSONTree = .object([("$ref", .text("#/components/responses/error"))])
        members.append(("responses", .object(answers + [("4XX", failure), ("5XX", failure)])))
        return .object(members)
    }

    /// The answers that several operations give.
    static let responses: [Member] = [
        (
            "error",
            .object([
                ("description", .text("Why it could not be done")),
                (
                    "content",
                    .object([
                        (
                            "application/json",
                            .object([("schema", .object([("$ref", .text("#/components/schemas/error"))]))])
                        )
                    ])
                ),
            ])
        )
    ]
}

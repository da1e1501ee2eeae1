// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The addresses of functions and actions.
///
///     GET  /TopProducts(groupId={groupId})        GET  /TopProducts()        POST /Orders({ID})/Shop.Close
///
/// The required parameters of a function stand in parentheses; an overload with optional ones has one address more.
struct OpenAPIOperations {
    typealias Member = (String, JSONTree)

    let model: EntityModel
    let schemas: OpenAPISchemas

    init(_ model: EntityModel) {
        self.model = model
        schemas = OpenAPISchemas(model: model)
    }

    /// One address with what it takes.
    struct Path {
        var address: String
        var isAction: Bool
        var summary: String
        var id: String
        var tag: String?
        var parameters: [JSONTree] = []
        var body: JSONTree?
        var answers: [Member] = []
    }

    func all() -> [Path] {
        var paths: [Path] = []
        for operation in model.operations {
            for prefix in prefixes(of: operation) { paths += self.paths(of: operation, prefix) }
        }
        // Overloads by what they are called on may have one address.
        var seen: Set<String> = []
        return paths.filter { seen.insert($0.address).inserted }
    }

    /// Where an operation is called: its imports, or the sets of its binding type.
    private struct Prefix {
        var address: String
        var name: String
        var set: EntitySet?
        var key: [JSONTree] = []
    }

    private func prefixes(of operation: EdmOperation) -> [Prefix] {
        let qualified = "\(model.namespace).\(operation.names.wire)"
        guard let binding = operation.binding else {
            return operation.imports.map { Prefix(address: "/\($0.name)", name: $0.name) }
        }
        let type = model[set: binding.set]?.type.names.wire
        return model.sets.filter { !$0.isContained && $0.type.names.wire == type }.map { set in
            let cast = binding.derivedType.map { "/\(model.namespace).\($0)" } ?? ""
            let key = binding.isCollection ? "" : "(\(OpenAPIPaths.keyText(set.type)))"
            return Prefix(
                address: "/\(set.names.wire)\(key)\(cast)/\(qualified)",
                name: "\(set.names.wire)_\(operation.names.wire)",
                set: set,
                key: binding.isCollection ? [] : OpenAPIParameters.key(set.type)
            )
        }
    }

    private func paths(of operation: EdmOperation, _ prefix: Prefix) -> [Path] {
        var path = Path(
            address: prefix.address,
            isAction: operation.kind == .action,
            summary: operation.description ?? "Call \(operation.names.wire)",
            id: "call\(prefix.name)",
            tag: prefix.set?.names.wire
        )
        path.parameters = prefix.key
        path.answers = answers(of: operation)
        if operation.kind == .action {
            if !operation.parameters.isEmpty { path.body = body(of: operation) }
            if !prefix.key.isEmpty { path.parameters.append(OpenAPIParameters.ifMatch) }
            return [path]
        }
        let required = operation.parameters.filter { !$0.isOptional }
        var forms = [required]
        if required.count < operation.parameters.count { forms.append(operation.parameters) }
        return forms.map { parameters in
            var form = path
            let taken = Set(prefix.key.compactMap { $0["name"]?.text })
            let named = parameters.map { (parameter: $0, name: self.name($0, besides: taken)) }
            let text = named.map { "\($0.parameter.names.wire)=\(slot($0.parameter, $0.name))" }.joined(separator: ",")
            form.address += "(\(text))"
            form.parameters += named.map { self.parameter($0.parameter, $0.name) }
            if parameters.count > required.count || !required.isEmpty {
                form.id += parameters.map { "_\($0.names.wire)" }.joined()
            }
            return form
        }
    }

    // MARK: Parameters

    /// The name of a parameter in the address, other than those of the key.
    private func name(_ parameter: OperationParameter, besides taken: Set<String>) -> String {
        let name = parameter.names.wire
        return taken.contains(name) ? "\(name)_parameter" : name
    }

    /// The place of a value in the address: text stands in quotes.
    private func slot(_ parameter: OperationParameter, _ name: String) -> String {
        isQuoted(parameter) ? "'{\(name)}'" : "{\(name)}"
    }

    private func isQuoted(_ parameter: OperationParameter) -> Bool {
        guard !parameter.type.isCollection else { return false }
        switch parameter.type.element {
        case .primitive(.string), .enumeration: return true
        default: return false
        }
    }

    private func parameter(_ parameter: OperationParameter, _ name: String) -> JSONTree {
        var schema: JSONTree
        if parameter.type.isCollection {
            schema = .object([("type", .text("string")), ("description", .text("A JSON array."))])
        } else {
            switch parameter.type.element {
            case .complex: schema = .object([("type", .text("string")), ("description", .text("A JSON object."))])
            default:
                var type = parameter.type
                type.isNullable = false
                schema = value(parameter.names, type, isWritten: true)
            }
        }
        if isQuoted(parameter), case .primitive = parameter.type.element, case .object(var members) = schema {
            // A quote is doubled, and a slash would end the segment.
            members.removeAll { $0.0 == "pattern" }
            members.append(("pattern", .text("^([^'/\\\\\\u0000-\\u001f])*$")))
            schema = .object(members)
        }
        return .object([
            ("name", .text(name)), ("in", .text("path")), ("required", .flag(true)),
            ("description", .text(parameter.description ?? "The parameter \(parameter.names.wire).")),
            ("schema", schema),
        ])
    }

    private func body(of operation: EdmOperation) -> JSONTree {
        var required: [JSONTree] = []
        let properties: [Member] = operation.parameters.map { parameter in
            if !parameter.isOptional, !parameter.type.isNullable || parameter.type.isCollection {
                required.append(.text(parameter.names.wire))
            }
            return (parameter.names.wire, value(parameter.names, parameter.type, isWritten: true))
        }
        var schema: [Member] = [("type", .text("object")), ("properties", .object(properties))]
        if !required.isEmpty { schema.append(("required", .list(required))) }
        schema.append(("additionalProperties", .flag(false)))
        return .object([
            ("required", .flag(!required.isEmpty)),
            ("content", .object([("application/json", .object([("schema", .object(schema))]))])),
        ])
    }

    // MARK: Results

    private func answers(of operation: EdmOperation) -> [Member] {
        let nothing = JSONTree.object([("description", .text("Done; there is no value"))])
        guard let type = operation.returnType else { return [("204", nothing)] }
        var answers: [Member] = [
            (
                "200",
                .object([
                    ("description", .text("What \(operation.names.wire) gives")),
                    ("content", .object([("application/json", .object([("schema", result(type))]))])),
                ])
            )
        ]
        if operation.kind == .action, !type.isCollection, type.entitySet != nil {
            answers.append(("201", answers[0].1))
        }
        // A function without a value, and an action of which no answer is wanted.
        answers.append(("204", nothing))
        return answers
    }

    private func result(_ type: OperationType) -> JSONTree {
        var item: JSONTree
        switch type.element {
        case .entity(let set, _):
            item = OpenAPISchemas.reference(model.namespace, model[set: set]?.type.names.wire ?? set, .answer)
        case .complex(let name): item = OpenAPISchemas.reference(model.namespace, name, .answer)
        case .primitive, .enumeration:
            var single = type
            single.isCollection = false
            item = value(Names(wire: "value"), single, isWritten: false)
            if !type.isCollection {
                return .object([
                    ("type", .text("object")), ("required", .list([.text("value")])),
                    ("properties", .object([("value", item)])),
                ])
            }
        }
        guard type.isCollection else { return item }
        item = .object([("type", .text("array")), ("items", item)])
        return .object([
            ("type", .text("object")), ("required", .list([.text("value")])),
            ("properties", .object([("value", item)])),
        ])
    }

    private func value(_ names: Names, _ type: OperationType, isWritten: Bool) -> JSONTree {
        guard let property = model.property(names, of: type) else { return .object([("type", .text("object"))]) }
        return schemas.schema(property, isWritten ? .insert : .answer)
    }
}

extension OpenAPIPaths {
    /// What an operation's address takes.
    func call(_ path: OpenAPIOperations.Path) -> Member {
        (
            path.isAction ? "post" : "get",
            operation(
                path.summary,
                id: path.id,
                tag: path.tag,
                parameters: path.parameters,
                body: path.body,
                answers: path.answers
            )
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CSDLJSONReader {
    func operation(_ name: String, _ tree: JSONTree) throws(ODataError) -> Schema.Operation {
        var operation = Schema.Operation(isFunction: tree["$Kind"]?.text == "Function", name: name)
        operation.isBound = tree["$IsBound"]?.isTrue == true
        operation.isComposable = tree["$IsComposable"]?.isTrue == true
        operation.entitySetPath = tree["$EntitySetPath"]?.text
        operation.annotations = annotations(tree)
        for parameter in tree["$Parameter"]?.items ?? [] {
            operation.parameters.append(
                Schema.Parameter(
                    name: try required("$Name", of: parameter, "A parameter of ‘\(name)’"),
                    type: typeUse(parameter),
                    annotations: annotations(parameter)
                )
            )
        }
        if let type = tree["$ReturnType"] {
            operation.returnType = Schema.ReturnType(type: typeUse(type), annotations: annotations(type))
        }
        return operation
    }

    func term(_ name: String, _ tree: JSONTree) -> Schema.Term {
        var term = Schema.Term(name: name, type: typeUse(tree), baseTerm: tree["$BaseTerm"]?.text)
        term.defaultValue = tree["$DefaultValue"].map { $0.scalar ?? "null" }
        term.appliesTo = tree["$AppliesTo"]?.items.compactMap(\.text) ?? []
        term.annotations = annotations(tree)
        return term
    }

    mutating func container(_ name: String, _ tree: JSONTree) throws(ODataError) -> Schema.Container {
        var container = Schema.Container(name: name, extends: tree["$Extends"]?.text, annotations: annotations(tree))
        for (name, tree) in tree.members where !name.hasPrefix("$") && !name.contains("@") {
            let kinds: [(String, Schema.ContainerChild.Kind)] = [
                ("$Action", .actionImport), ("$Function", .functionImport),
                ("$Type", tree["$Collection"]?.isTrue == true ? .entitySet : .singleton),
            ]
            guard let (member, kind) = kinds.first(where: { tree[$0.0]?.text != nil }), let type = tree[member]?.text
            else {
                warn("The member ‘\(name)’ of the container is passed over: it is no set, singleton or import.")
                continue
            }
            var child = Schema.ContainerChild(kind: kind, name: name, type: type, annotations: annotations(tree))
            child.isNullable = tree["$Nullable"]?.isTrue == true
            child.entitySet = tree["$EntitySet"]?.text
            if case .flag(let flag)? = tree["$IncludeInServiceDocument"] { child.isInServiceDocument = flag }
            child.bindings = (tree["$NavigationPropertyBinding"]?.members ?? []).map { path, target in
                Schema.Binding(path: path, target: target.text ?? "")
            }
            container.children.append(child)
        }
        return container
    }

    // MARK: Types

    func typeUse(_ tree: JSONTree) -> Schema.TypeUse {
        var type = Schema.TypeUse(tree["$Type"]?.text ?? "Edm.String")
        type.isCollection = tree["$Collection"]?.isTrue == true
        let isNullable = tree["$Nullable"]?.isTrue == true
        type.isNullable = isNullable && !type.isCollection ? nil : isNullable
        addFacets(of: tree, to: &type)
        return type
    }

    /// The facets, with what JSON leaves out as XML has to say it.
    func addFacets(of tree: JSONTree, to type: inout Schema.TypeUse) {
        addFacetsAsWritten(of: tree, to: &type)
        switch type.name {
        case "Edm.Decimal": type.scale = type.scale ?? "variable"
        case "Edm.DateTimeOffset", "Edm.Duration", "Edm.TimeOfDay": type.precision = type.precision ?? "12"
        default: break
        }
    }

    func addFacetsAsWritten(of tree: JSONTree, to type: inout Schema.TypeUse) {
        type.maxLength = tree["$MaxLength"]?.scalar
        type.precision = tree["$Precision"]?.scalar
        type.scale = tree["$Scale"]?.scalar
        type.srid = tree["$SRID"]?.scalar
        type.isUnicode = tree["$Unicode"]?.scalar
    }

    // MARK: Annotations

    /// The annotations of an object, or of its member `owner`.
    func annotations(_ tree: JSONTree, of owner: String = "") -> [Annotation] {
        annotations(tree.members.filter { $0.0.utf8.contains(UInt8(ascii: "@")) }, of: owner)
    }

    private func annotations(_ members: [(String, JSONTree)], of owner: String) -> [Annotation] {
        members.compactMap { name, tree in
            guard name.hasPrefix(owner) else { return nil }
            let rest = name.dropFirst(owner.count)
            guard rest.first == "@" else { return nil }
            let term = rest.dropFirst()
            guard !term.contains("@"), !["type", "odata.type"].contains(term) else { return nil }
            let parts = term.split(separator: "#", maxSplits: 1)
            guard let first = parts.first else { return nil }
            return Annotation(
                String(first),
                expression(tree),
                qualifier: parts.count == 2 ? String(parts[1]) : nil,
                annotations: annotations(members, of: name)
            )
        }
    }
}

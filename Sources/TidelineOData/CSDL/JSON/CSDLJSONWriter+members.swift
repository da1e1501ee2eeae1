// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CSDLJSONWriter {
    func operation(_ operation: Schema.Operation) -> JSONTree {
        var members: [Member] = [("$Kind", .text(operation.isFunction ? "Function" : "Action"))]
        add("$IsBound", operation.isBound, to: &members)
        add("$IsComposable", operation.isComposable, to: &members)
        add("$EntitySetPath", operation.entitySetPath, to: &members)
        if !operation.parameters.isEmpty {
            let parameters = operation.parameters.map { parameter -> JSONTree in
                var members: [Member] = [("$Name", .text(parameter.name))]
                addType(parameter.type, to: &members)
                add(parameter.annotations, to: &members)
                return .object(members)
            }
            members.append(("$Parameter", .list(parameters)))
        }
        if let type = operation.returnType {
            var typeMembers: [Member] = []
            addType(type.type, to: &typeMembers)
            add(type.annotations, to: &typeMembers)
            members.append(("$ReturnType", .object(typeMembers)))
        }
        add(operation.annotations, to: &members)
        return .object(members)
    }

    func term(_ term: Schema.Term) -> JSONTree {
        var members: [Member] = [("$Kind", .text("Term"))]
        addType(term.type, to: &members)
        add("$BaseTerm", term.baseTerm, to: &members)
        if let value = termDefault(term) { members.append(("$DefaultValue", value)) }
        if !term.appliesTo.isEmpty { members.append(("$AppliesTo", .list(term.appliesTo.map(JSONTree.text)))) }
        add(term.annotations, to: &members)
        return .object(members)
    }

    func container(_ container: Schema.Container, in schema: Schema) -> [Member] {
        var members: [Member] = [("$Kind", .text("EntityContainer"))]
        add("$Extends", container.extends, to: &members)
        let own = "\(schema.namespace).\(container.name)/"
        /// A path without the container's own name before it.
        func local(_ path: String) -> String {
            let full = resolved(path)
            return full.hasPrefix(own) ? String(full.dropFirst(own.count)) : path
        }
        for child in container.children {
            var childMembers: [Member] = []
            switch child.kind {
            case .entitySet:
                childMembers = [("$Collection", .flag(true)), ("$Type", .text(child.type))]
                if child.isInServiceDocument == false {
                    childMembers.append(("$IncludeInServiceDocument", .flag(false)))
                }
            case .singleton:
                childMembers = [("$Type", .text(child.type))]
                add("$Nullable", child.isNullable, to: &childMembers)
            case .actionImport: childMembers = [("$Action", .text(child.type))]
            case .functionImport:
                childMembers = [("$Function", .text(child.type))]
                add("$IncludeInServiceDocument", child.isInServiceDocument == true, to: &childMembers)
            }
            add("$EntitySet", child.entitySet.map(local), to: &childMembers)
            if !child.bindings.isEmpty {
                let bindings = child.bindings.map { ($0.path, JSONTree.text(local($0.target))) }
                childMembers.append(("$NavigationPropertyBinding", .object(bindings)))
            }
            add(child.annotations, to: &childMembers)
            members.append((child.name, .object(childMembers)))
        }
        add(container.annotations, to: &members)
        return members
    }

    // MARK: Parts

    func add(_ name: String, _ text: String?, to members: inout [Member]) {
        if let text { members.append((name, .text(text))) }
    }

    func add(_ name: String, _ flag: Bool, to members: inout [Member]) {
        if flag { members.append((name, .flag(true))) }
    }

    func addType(_ type: Schema.TypeUse, to members: inout [Member]) {
        if type.name != "Edm.String" { members.append(("$Type", .text(type.name))) }
        add("$Collection", type.isCollection, to: &members)
        add("$Nullable", type.isCollection ? type.isNullable == true : type.isNullable != false, to: &members)
        addFacets(type, to: &members)
    }

    /// The facets with the defaults of JSON: any precision, any scale.
    func addFacets(_ type: Schema.TypeUse, to members: inout [Member]) {
        if let length = type.maxLength.flatMap({ Int($0) }) { members.append(("$MaxLength", .integer(length))) }
        if type.isUnicode == "false" { members.append(("$Unicode", .flag(false))) }
        let isTemporal = ["Edm.DateTimeOffset", "Edm.Duration", "Edm.TimeOfDay"].contains(type.name)
        if let precision = type.precision.flatMap({ Int($0) }) ?? (isTemporal ? 0 : nil) {
            members.append(("$Precision", .integer(precision)))
        }
        switch type.scale ?? (type.name == "Edm.Decimal" ? "0" : nil) {
        case nil, "variable": break
        case let scale?: members.append(("$Scale", Int(scale).map(JSONTree.integer) ?? .text(scale)))
        }
        add("$SRID", type.srid, to: &members)
    }

    /// The annotations of the element itself, or of its member `owner`.
    func add(_ annotations: [Annotation], to members: inout [Member], of owner: String = "") {
        for annotation in annotations {
            let name = "\(owner)@\(annotation.term)\(annotation.qualifier.map { "#\($0)" } ?? "")"
            members.append((name, annotation.value.map { value($0) } ?? .flag(true)))
            add(annotation.annotations, to: &members, of: name)
        }
    }
}

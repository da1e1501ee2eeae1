// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A metadata document with the annotations alone that a client asks for.
///
/// Source: OData Protocol 4.01, section 8.2.8.4.
extension CSDLDocument {
    /// The same document without the annotations that are not chosen; all there are for `nil`.
    func keeping(_ choice: AnnotationChoice?) -> CSDLDocument {
        guard let choice else { return self }
        var document = self
        for place in document.references.indices {
            document.references[place].annotations.keep(choice)
            for include in document.references[place].includes.indices {
                document.references[place].includes[include].annotations.keep(choice)
            }
        }
        for place in document.schemas.indices { document.schemas[place].keep(choice) }
        return document
    }
}

extension [Annotation] {
    fileprivate mutating func keep(_ choice: AnnotationChoice) {
        removeAll { !choice.includes($0.term, qualifier: $0.qualifier) }
        for place in indices { self[place].annotations.keep(choice) }
    }
}

extension Schema {
    fileprivate mutating func keep(_ choice: AnnotationChoice) {
        annotations.keep(choice)
        for place in targets.indices { targets[place].annotations.keep(choice) }
        targets.removeAll(where: \.annotations.isEmpty)
        for place in structuredTypes.indices { structuredTypes[place].keep(choice) }
        for place in enumerations.indices {
            enumerations[place].annotations.keep(choice)
            for member in enumerations[place].members.indices {
                enumerations[place].members[member].annotations.keep(choice)
            }
        }
        for place in typeDefinitions.indices { typeDefinitions[place].annotations.keep(choice) }
        for place in terms.indices { terms[place].annotations.keep(choice) }
        for place in operations.indices {
            operations[place].annotations.keep(choice)
            operations[place].returnType?.annotations.keep(choice)
            for parameter in operations[place].parameters.indices {
                operations[place].parameters[parameter].annotations.keep(choice)
            }
        }
        for place in containers.indices {
            containers[place].annotations.keep(choice)
            for child in containers[place].children.indices {
                containers[place].children[child].annotations.keep(choice)
            }
        }
    }
}

extension Schema.StructuredType {
    fileprivate mutating func keep(_ choice: AnnotationChoice) {
        annotations.keep(choice)
        for place in properties.indices { properties[place].annotations.keep(choice) }
        for place in navigationProperties.indices {
            navigationProperties[place].annotations.keep(choice)
            navigationProperties[place].onDelete?.annotations.keep(choice)
            for constraint in navigationProperties[place].constraints.indices {
                navigationProperties[place].constraints[constraint].annotations.keep(choice)
            }
        }
    }
}

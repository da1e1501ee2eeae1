// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A function or an action: what a service does besides reading and changing entities.
///
/// Overloads are several operations with one name on the wire; ``EntityModel/operationProblems()`` says the rules.
/// Source: OData CSDL 4.01, section 12.
public struct EdmOperation: Hashable, Sendable {
    /// Whether the operation has effects.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Reads only, is called with GET and always gives a result.
        case function
        /// May change data and is called with POST.
        case action
    }

    /// The name on the wire, without its namespace; what the database calls it stands in ``body``.
    public var names: Names
    public var kind: Kind
    /// What it is called on; `nil` for an unbound operation.
    public var binding: OperationBinding?
    /// The parameters but the binding one; optional ones stand last.
    public var parameters: [OperationParameter]
    /// What it gives; `nil` only for an action that gives nothing.
    public var returnType: OperationType?
    /// For an action that answers with the number of rows that it changed: the property of the complex result with it.
    public var rowsAffectedProperty: String?
    /// Whether path segments and query options may follow the call of a function.
    public var isComposable: Bool
    /// The names in the entity container under which an unbound operation is called, the same for all its overloads.
    public var imports: [OperationImport]
    /// What is done; `nil` where the model is that of another server.
    public var body: OperationBody?
    public var description: String?

    public init(
        names: Names,
        kind: Kind,
        binding: OperationBinding? = nil,
        parameters: [OperationParameter] = [],
        returnType: OperationType? = nil,
        isComposable: Bool = false,
        imports: [OperationImport] = [],
        body: OperationBody? = nil,
        description: String? = nil
    ) {
        self.names = names
        self.kind = kind
        self.binding = binding
        self.parameters = parameters
        self.returnType = returnType
        self.isComposable = isComposable
        self.imports = imports
        self.body = body
        self.description = description
    }

    /// Whether it is called on an entity or a collection.
    public var isBound: Bool { binding != nil }

    /// The place of a parameter by its name on the wire, or `nil`.
    public func parameterIndex(wire: String) -> Int? {
        parameters.firstIndex { $0.names.wire == wire }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One call of an operation: with every value that it needs, checked against the types of the parameters.
public struct OperationCall: Hashable, Sendable {
    /// The overload that is called.
    public var operation: EdmOperation
    /// The values of the parameters, by place, in the form of ``TidelineModel/EntityModel/property(of:)``.
    ///
    /// `nil` for an optional one that the call left out and that has no default in the model: the routine's own default
    /// applies, and null where there is none.
    public var arguments: [Value?]
    /// What it is called on: the key of the entity, or the keys of the collection; empty for an unbound operation.
    ///
    /// Policies are already applied: these are entities that the user sees.
    public var keys: [Key]
    /// Who asks, for `:me`.
    public var user: UserContext
    /// The most rows that the result may have; with more the call fails with `tooManyRows`.
    public var rowLimit: Int

    public init(
        _ operation: EdmOperation,
        arguments: [Value?] = [],
        keys: [Key] = [],
        user: UserContext = .anonymous,
        rowLimit: Int = 100_000
    ) {
        self.operation = operation
        self.arguments = arguments
        self.keys = keys
        self.user = user
        self.rowLimit = rowLimit
    }

    /// The value of a parameter by its name on the wire; null where the call left it out.
    public func argument(_ name: String) -> Value {
        guard let place = operation.parameterIndex(wire: name), arguments.indices.contains(place) else { return .null }
        return arguments[place] ?? operation.parameters[place].defaultValue ?? .null
    }

    /// Whether stores need the keys of the collection that it is called on: only SQL that names `:keys` and handlers do.
    ///
    /// Elsewhere it stands for the whole set, and the service need not read them.
    public var needsKeys: Bool {
        guard operation.binding?.isCollection == true else { return false }
        switch operation.body {
        case .sql(let sqlite, let postgres):
            return [sqlite, postgres].contains { $0?.contains(":keys") == true }
        case .handler: return true
        case .routine, nil: return false
        }
    }
}

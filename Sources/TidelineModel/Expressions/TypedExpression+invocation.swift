// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension TypedExpression {
    /// A call of a function of the model inside an expression, with what stands for each parameter.
    public struct Invocation: Hashable, Sendable {
        /// The overload that is called; its body is not code of the program.
        public var operation: EdmOperation
        /// What stands for the parameters, by place; `nil` for one that is left out.
        public var arguments: [TypedExpression?]
        /// The key of the entity that it is called on; empty for an unbound function.
        public var key: [TypedExpression]
        /// The keys of the collection that it is called on, as JSON text; `nil` where it is called on none.
        public var keys: TypedExpression?
        /// The place of what is taken in ``EntityModel/resultColumns(of:)``.
        public var column = 0

        public init(
            _ operation: EdmOperation,
            arguments: [TypedExpression?] = [],
            key: [TypedExpression] = [],
            keys: TypedExpression? = nil
        ) {
            self.operation = operation
            self.arguments = arguments
            self.key = key
            self.keys = keys
        }

        /// The expressions in it.
        package var parts: [TypedExpression] { arguments.compactMap(\.self) + key + (keys.map { [$0] } ?? []) }

        package func mapping(_ change: (TypedExpression) -> TypedExpression) -> Invocation {
            var copy = self
            copy.arguments = arguments.map { $0.map(change) }
            copy.key = key.map(change)
            copy.keys = keys.map(change)
            return copy
        }
    }

    /// The functions that are called in it, in guards too.
    package var invocations: [Invocation] {
        var found = parts.flatMap(\.expression.invocations)
        switch node {
        case .invoke(let call), .isResult(let call, _): found.append(call)
        default: break
        }
        return found
    }
}

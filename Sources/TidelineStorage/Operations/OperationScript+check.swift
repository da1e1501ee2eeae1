// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension OperationScript {
    /// The words that a statement of an operation may begin with: it reads and changes rows, nothing else.
    private static let words: Set<String> = [
        "SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "TABLE", "CALL",
    ]

    /// Why the SQL cannot be that of an operation, one sentence; `nil` when it can, as far as the text tells.
    package func problem(for operation: EdmOperation, in model: EntityModel) -> String? {
        if statements.isEmpty { return "Its SQL is empty." }
        if let foreignParameter {
            return "Its SQL has the parameter \(foreignParameter): parameters are written :Name, by their names."
        }
        for place in statements.indices {
            let word = keyword(of: place)
            guard !Self.words.contains(word) else { continue }
            return
                "Its SQL has a statement that begins with \(word): an operation reads and changes rows, nothing else."
        }
        if operation.kind == .function, statements.count > 1 {
            return "It is a function, and its SQL has \(statements.count) statements: a function is one query."
        }
        let own = operation.parameters.map(\.names.wire)
        let bound = operation.boundParameters(in: model)
        if let both = bound.first(where: own.contains) {
            return "A parameter has the name \(both), which the SQL needs for what the operation is bound to."
        }
        let used = parameters
        let known = own + bound + ["me"]
        if let unknown = used.first(where: { !known.contains($0) }) {
            return "Its SQL has the parameter :\(unknown), which is not declared; known are "
                + known.map { ":\($0)" }.joined(separator: ", ") + "."
        }
        if let unused = own.first(where: { !used.contains($0) }) {
            return "Its SQL does not use the parameter :\(unused)."
        }
        return nil
    }
}

extension EdmOperation {
    /// The names under which SQL gets what the operation is called on: the properties of the key, or `keys`.
    package func boundParameters(in model: EntityModel) -> [String] {
        guard let binding, let type = model[set: binding.set]?.type else { return [] }
        return binding.isCollection ? ["keys"] : type.key.map { type.properties[$0].names.wire }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Who may call what.
extension Planner {
    /// - Throws: `AccessDenied` where no policy lets the user call the operation.
    func checkCall(of operation: EdmOperation, by user: UserContext) throws(ODataError) {
        let name = operation.names.wire
        guard policies.mayCall(name, user) else {
            throw ODataError(service: ServiceCode.accessDenied, "You may not call \(name).", target: name)
        }
    }

    /// Says which functions may be called in the expressions of a user's request.
    func callRule(for user: UserContext) -> @Sendable (EdmOperation) throws(ExpressionError) -> Void {
        { [policies] operation throws(ExpressionError) in
            let name = operation.names.wire
            guard policies.mayCall(name, user) else {
                throw ExpressionError(.notAllowed, message: "You may not call \(name).", target: name)
            }
        }
    }

    /// The operations that entities or collections of a set advertise to a user, as full metadata names them.
    func advertised(
        _ set: EntitySet,
        as derived: String?,
        isCollection: Bool,
        _ user: UserContext
    ) -> [RowShape.Operation] {
        var found: [RowShape.Operation] = []
        for operation in model.operations {
            guard let binding = operation.binding, binding.isCollection == isCollection,
                model[set: binding.set]?.type.names.wire == set.type.names.wire,
                policies.mayCall(operation.names.wire, user)
            else { continue }
            let name = "\(model.namespace).\(operation.names.wire)"
            guard !found.contains(where: { $0.name == name }) else { continue }
            // What is called on any entity of the declared type needs no type of the row; the cast has one already.
            let isGiven = binding.derivedType.map { wanted in
                derived.map { set.type.isDerived($0, from: wanted) } ?? false
            }
            found.append(RowShape.Operation(name: name, declaringType: isGiven ?? true ? nil : binding.derivedType))
        }
        return found
    }
}

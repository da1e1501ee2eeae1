// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension Expression {
    /// The expression, its names found and its types known.
    ///
    /// - Parameter code: the code of the error when it is none.
    func checked(by checker: ExpressionChecker, code: ODataError.Code) throws(ODataError) -> TypedExpression {
        do throws(ExpressionError) {
            return try checker.check(self)
        } catch {
            throw error.told(as: code)
        }
    }

    /// The same for a condition: its type is Boolean.
    func checkedCondition(by checker: ExpressionChecker, code: ODataError.Code) throws(ODataError) -> TypedExpression {
        do throws(ExpressionError) {
            return try checker.condition(self)
        } catch {
            throw error.told(as: code)
        }
    }

    /// A condition over an entity set.
    func checkedCondition(
        over set: EntitySet,
        in model: EntityModel,
        code: ODataError.Code
    ) throws(ODataError) -> TypedExpression {
        try checkedCondition(by: ExpressionChecker(model: model, set: set), code: code)
    }
}

extension ExpressionError {
    /// The error for a client.
    ///
    /// - Parameter code: the code where the expression is wrong.
    func told(as code: ODataError.Code) -> ODataError {
        switch self.code {
        case .unsupported: ODataError(.notSupported, message, target: target)
        case .notAllowed: ODataError(service: ServiceCode.accessDenied, message, target: target)
        default: ODataError(code, message, target: target)
        }
    }
}

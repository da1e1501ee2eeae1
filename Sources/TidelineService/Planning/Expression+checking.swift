// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension Expression {
    /// The expression over an entity set, its names found and its types known.
    ///
    /// - Parameter code: the code of the error when it is none.
    func checked(
        over set: EntitySet,
        as derived: String? = nil,
        in model: EntityModel,
        code: ODataError.Code
    ) throws(ODataError) -> TypedExpression {
        do throws(ExpressionError) {
            var checker = ExpressionChecker(model: model, set: set)
            checker.derivedType = derived
            return try checker.check(self)
        } catch {
            throw ODataError(error.code == .unsupported ? .notSupported : code, error.message, target: error.target)
        }
    }

    /// The same for a condition: its type is Boolean.
    func checkedCondition(
        over set: EntitySet,
        as derived: String? = nil,
        in model: EntityModel,
        code: ODataError.Code
    ) throws(ODataError) -> TypedExpression {
        do throws(ExpressionError) {
            var checker = ExpressionChecker(model: model, set: set)
            checker.derivedType = derived
            return try checker.condition(self)
        } catch {
            throw ODataError(error.code == .unsupported ? .notSupported : code, error.message, target: error.target)
        }
    }
}

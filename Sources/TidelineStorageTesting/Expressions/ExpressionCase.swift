// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// One line of the table of cases: an expression, and the rows of ``ExpressionWorld`` that it selects by the standard, or
/// why it is refused.
///
/// The expected results are worked out by hand from the standard, not by a program. Each line runs on the evaluator in
/// memory, on SQLite and on PostgreSQL, see ``ExpressionTable``.
package struct ExpressionCase: Sendable {
    package let text: String
    package let rows: [Int]
    /// Why the expression is refused before any row is looked at.
    package let refusal: ExpressionError.Code?
    /// Whether the rows are those for which it divides an integer by zero.
    package let asksFault: Bool

    init(_ text: String, _ rows: Int...) {
        self.text = text
        self.rows = rows
        refusal = nil
        asksFault = false
    }

    init(_ text: String, fails rows: [Int]) {
        self.text = text
        self.rows = rows
        refusal = nil
        asksFault = true
    }

    init(_ text: String, refused: ExpressionError.Code) {
        self.text = text
        rows = []
        refusal = refused
        asksFault = false
    }

    /// All lines.
    package static let all: [ExpressionCase] =
        misbehaviours + nulls + numbers + texts + times + others + navigations + collections + structures
        + enumerations + types + branches + addressed + segments + patterns + shapes + faults + refusals + calculated
        + dynamic
}

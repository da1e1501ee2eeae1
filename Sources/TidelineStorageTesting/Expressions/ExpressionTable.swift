// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
package import TidelineStorage

/// Runs the table of cases on one evaluator.
///
/// Every line is run, and what does not come out as the table says is told; nothing is passed over.
package struct ExpressionTable {
    /// The lines that did not come out, each with what came instead.
    package private(set) var mistakes: [String] = []
    /// How many lines were run: ``ExpressionCase/all``.
    package private(set) var count = 0

    /// - Parameters:
    ///   - parse: reads the text of an expression.
    ///   - select: the identifiers of the items that a condition selects, in their order.
    package init(
        over world: ExpressionWorld,
        parse: (String) throws -> Expression,
        select: (TypedExpression) throws -> [Int]
    ) {
        let checker = ExpressionChecker(model: world.model, set: world.items)
        for line in ExpressionCase.all {
            count += 1
            do {
                var condition = try checker.condition(parse(line.text))
                if let refusal = line.refusal {
                    mistakes.append("\(line.text): not refused as \(refusal.rawValue)")
                    continue
                }
                if line.asksFault {
                    condition = condition.fault ?? TypedExpression(node: .literal(.boolean(false)), type: .boolean)
                }
                let rows = try select(condition)
                if rows != line.rows { mistakes.append("\(line.text): \(rows) and not \(line.rows)") }
                let opposite = TypedExpression(node: .unary(.not, condition), type: .boolean)
                let (found, expected) = (try select(opposite), try world.evaluated(opposite))
                if found != expected { mistakes.append("not (\(line.text)): \(found) and not \(expected)") }
            } catch let error as ExpressionError where line.refusal != nil {
                if error.code != line.refusal { mistakes.append("\(line.text): refused as \(error.code.rawValue)") }
            } catch {
                mistakes.append("\(line.text): \(error)")
            }
        }
    }
}

extension ExpressionWorld {
    /// The identifiers of the items that a store selects, in their order.
    package func items(_ condition: TypedExpression, in store: any Store) throws -> [Int] {
        let plan = ReadPlan(
            model: model,
            set: items,
            filter: condition,
            columns: [0],
            includesETag: false,
            user: Self.user
        )
        return try store.read { reader in
            let recorder = RowRecorder()
            _ = try reader.read(plan, into: recorder)
            return recorder.lines.compactMap { Int($0) }
        }
    }
}

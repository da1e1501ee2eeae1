// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension SQLCompiler {
    /// Words side by side in one of several texts: by the table's index, or by looking at each row.
    mutating func found(
        _ words: [String],
        _ texts: [TypedExpression],
        negated: Bool,
        in scope: Scope
    ) -> SQLCondition {
        if let hit = indexed(words, texts, in: scope) {
            return negated ? SQLCondition("(\(hit)) IS NOT TRUE") : SQLCondition(hit)
        }
        let wanted = SQLFragment(bind: .text(words.joined(separator: " ")))
        var tests: [SQLCondition] = []
        for text in texts {
            let value = computed(text, in: scope)
            let word: SQLFragment = negated ? "IS NOT TRUE" : "IS TRUE"
            tests.append(SQLCondition("\(dialect.call(.found, [wanted, value.sql])) \(word)"))
        }
        guard !tests.isEmpty else { return .constant(negated) }
        return SQLCondition(joining: tests, negated ? .and : .or)
    }

    private func indexed(_ words: [String], _ texts: [TypedExpression], in scope: Scope) -> SQLFragment? {
        guard case .path(let path)? = texts.first?.node, path.navigations.isEmpty else { return nil }
        let table = scope.at(path.up)
        // Only the rows of a table itself are in its index, not those of a query over it.
        guard table.set.type.searchesWords, table.element == nil, !table.isDerived,
            table.alias != root.alias || source == nil
        else { return nil }
        return dialect.indexed(words, in: table.set, of: table.alias)
    }
}

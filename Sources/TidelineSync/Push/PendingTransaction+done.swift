// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

extension PendingTransaction {
    /// Whether rows are as the transaction would leave them: nothing is lost when it is not sent again.
    ///
    /// - Parameter current: the rows of the transaction as the service has them now.
    func isDone(in current: [RemoteRow], _ model: EntityModel) -> Bool {
        var left: [Row: [Int: Value]?] = [:]
        for change in changes.map(\.change) {
            let row = Row(set: change.set, key: change.key)
            switch change.operation {
            case .delete: left[row] = .some(nil)
            case .insert, .update:
                guard let type = model[set: change.set]?.type else { return false }
                let sent = change.assignments.filter { assignment in
                    let property = type.properties[assignment.property]
                    if property.isLocalOnly || type.isMade(assignment.property) { return false }
                    return change.operation == .update || property.generation == .none || !assignment.after.isNull
                }
                let values = Dictionary(sent.map { ($0.property, $0.after) }, uniquingKeysWith: { $1 })
                left[row] = ((left[row] ?? nil) ?? [:]).merging(values) { $1 }
            }
        }
        let there = Dictionary(
            current.map { (Row(set: $0.set, key: $0.key), $0.values) },
            uniquingKeysWith: { first, _ in first }
        )
        return left.allSatisfy { row, values in
            guard let found = there[row] else { return false }
            guard let values else { return found == nil }
            guard let found else { return false }
            return values.allSatisfy { found.indices.contains($0.key) && found[$0.key] == $0.value }
        }
    }

    /// The rows that its changes made, as the service has them now.
    func rows(in current: [RemoteRow]) -> [AcceptedRow] {
        changes.map(\.change).enumerated().compactMap { place, change in
            guard change.operation != .delete,
                let row = current.first(where: { $0.set == change.set && $0.key == change.key }), row.values != nil
            else { return nil }
            return AcceptedRow(place: place, key: row.key, etag: row.etag, values: row.values)
        }
    }

    private struct Row: Hashable {
        var set: String
        var key: Key
    }
}

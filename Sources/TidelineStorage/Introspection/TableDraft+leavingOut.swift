// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension TableDraft {
    /// Leaves columns out that are named as `table.column`, with what is made of several columns and needs them.
    ///
    /// - Returns: what is to be told of those that a new row needs a value of.
    package mutating func leaveOut(_ names: Set<String>) -> [Introspection.Problem] {
        let columns = Introspection.columns(of: self.name, in: names)
        guard !columns.isEmpty else { return [] }
        var problems: [Introspection.Problem] = []
        for column in columns.sorted() {
            guard let place = place(column) else {
                problems.append(
                    .absence("\(name).\(column)", "\(name).\(column) is to be left out, but there is no such column.")
                )
                continue
            }
            guard !key.contains(column) else {
                problems.append(.refusal("\(name).\(column)", "\(name).\(column) is part of the key and stays."))
                continue
            }
            let property = properties.remove(at: place)
            if !property.isNullable, property.defaultValue == nil, property.generation == .none {
                problems.append(
                    .note(
                        name,
                        "\(name).\(column) is left out and has no default: the service can insert no rows of \(name)."
                    )
                )
            }
        }
        uniqueColumns.removeAll { !columns.isDisjoint(with: $0) }
        foreignKeys.removeAll { !columns.isDisjoint(with: $0.columns) }
        for column in columns { json[column] = nil }
        return problems
    }
}

extension Introspection {
    /// The columns of a table among names to leave out.
    package static func columns(of table: String, in names: Set<String>) -> Set<String> {
        let prefix = table + "."
        return Set(names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }
}

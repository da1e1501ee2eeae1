// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Reads an expansion for many rows at once: one statement for all of them, and one more where they are counted.
///
/// A statement for each row costs a way over the socket each: 0.05 ms at least on one machine, 0.5 ms in one building.
final class ExpansionReader {
    /// The plan of the related entities.
    let level: PlanLevel
    private unowned let parent: PlanLevel
    private let count: CountStatement?
    private let dialect: PostgresDialect

    init(_ expansion: ReadPlan.Expansion, of parent: PlanLevel, context: PostgresContext) throws {
        var dialect = context.dialect
        dialect.isLateral = true
        self.dialect = dialect
        self.parent = parent
        let compiled = SelectStatement(expansion: expansion, of: parent.plan.set, dialect: dialect)
        level = try PlanLevel(expansion.plan, compiled, offset: 1, context: context)
        count =
            expansion.includesCount
            ? CountStatement(expansion: expansion, of: parent.plan.set, dialect: dialect) : nil
    }

    /// Reads the related entities of rows, and what is expanded of them in turn.
    func load(_ rows: [PostgresRow], on connection: PostgresConnection) throws -> LoadedExpansion {
        // Many rows often lead to the same one: each key is asked for once.
        var keys: [[String]] = []
        // By bytes: to Swift, texts of equal characters are equal.
        var places: [[[UInt8]]: Int] = [:]
        let keyOfRow = try rows.map { row -> Int? in
            guard let key = try key(row) else { return nil }
            let bytes = key.map { Array($0.utf8) }
            if let place = places[bytes] { return place }
            places[bytes] = keys.count
            keys.append(key)
            return keys.count - 1
        }
        var loaded = LoadedExpansion(level: level, keyOfRow: keyOfRow, hasCounts: count != nil)
        guard !keys.isEmpty else { return loaded }
        let arrays = level.compiled.parameters.indices.map { part in
            SQLValue.text(ArrayText.text(keys.map { $0[part] }))
        }
        let result = try connection.query(
            level.compiled.text,
            arrays + level.compiled.bindings,
            isKept: true,
            isBinary: true
        )
        loaded.take(Array(result), keys: keys.count)
        if let count {
            loaded.take(counts: try connection.query(count.text, arrays + count.bindings, isKept: true))
        }
        loaded.expansions = try level.expansions.map { try $0.load(loaded.rows, on: connection) }
        return loaded
    }

    /// The key of the related entities of a row, as texts of PostgreSQL; `nil` where a part is null or cannot be.
    private func key(_ row: PostgresRow) throws -> [String]? {
        var texts: [String] = []
        for parameter in level.compiled.parameters {
            let value = try parent.value(of: parameter.source, row)
            guard value != .null, let stored = dialect.key(value, of: parameter.property) else { return nil }
            switch stored {
            case .null: return nil
            case .integer(let number): texts.append(String(number))
            case .real(let number): texts.append(String(number))
            case .text(let text), .typed(let text, _): texts.append(text)
            case .blob(let bytes):
                texts.append("\\x" + bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined())
            }
        }
        return texts
    }
}

/// The related entities of a batch of rows.
struct LoadedExpansion {
    let level: PlanLevel
    /// For each row outside the place of its key, or `nil` where it leads nowhere.
    let keyOfRow: [Int?]
    let hasCounts: Bool
    private(set) var rows: [PostgresRow] = []
    var expansions: [LoadedExpansion] = []
    /// For each key the places of its rows, in their order.
    private var groups: [[Int]] = []
    private var counts: [Int] = []

    init(level: PlanLevel, keyOfRow: [Int?], hasCounts: Bool) {
        self.level = level
        self.keyOfRow = keyOfRow
        self.hasCounts = hasCounts
    }

    mutating func take(_ rows: [PostgresRow], keys: Int) {
        self.rows = rows
        groups = Array(repeating: [], count: keys)
        counts = Array(repeating: 0, count: keys)
        for (place, row) in rows.enumerated() {
            guard let number = row.integer(0) else { continue }
            groups[Int(number) - 1].append(place)
        }
    }

    mutating func take(counts result: PostgresResult) {
        for row in result {
            guard let number = row.integer(0), let count = row.integer(1) else { continue }
            counts[Int(number) - 1] = Int(count)
        }
    }

    /// Pushes the related entities of the row at a place of the batch.
    func push(of place: Int, as index: Int, into sink: any RowSink, _ output: inout RowOutput) throws {
        sink.beginExpansion(index)
        var count: Int? = hasCounts ? 0 : nil
        if let key = keyOfRow[place] {
            if hasCounts { count = counts[key] }
            let page = groups[key].prefix(level.compiled.rowLimit)
            for row in page {
                sink.beginRow()
                let etag = try level.push(rows[row], to: &output)
                for (inner, expansion) in expansions.enumerated() {
                    try expansion.push(of: row, as: inner, into: sink, &output)
                }
                sink.endRow(etag: etag)
            }
            if page.count < groups[key].count, let last = page.last {
                sink.moreFollow(after: try level.continuation(rows[last]))
            }
        }
        sink.endExpansion(index, count: count)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Pushes one page of a plan.
///
///     without expansions   one statement: taken whole where the page is small, else rows lent one at a time as they
///                          come in, which takes 1.3 times as long (2.6 µs a row against 1.9)
///     with expansions      a batch of rows, one statement for each expansion of the batch, then push it; and again
///
/// Memory is one row, or one batch with what is expanded of it.
struct PlanReader {
    /// The most rows of a batch.
    private static let batchRows = 256
    /// The most rows of bounded width that are taken whole.
    private static let narrowRows = 2000
    /// The bytes of a batch at which the next one is made smaller.
    private static let batchBytes = 1 << 20

    let connection: PostgresConnection
    private let level: PlanLevel
    private let sink: any RowSink
    private let ready: PostgresResult?
    private var output: RowOutput
    private var rows = 0
    /// The values of the last row of a full page.
    private var continuation: [Value]?

    /// - Parameter ready: the rows, where they were asked for before.
    init(
        _ level: PlanLevel,
        on connection: PostgresConnection,
        context: PostgresContext,
        into sink: any RowSink,
        ready: PostgresResult?
    ) {
        self.connection = connection
        self.sink = sink
        self.level = level
        self.ready = ready
        output = RowOutput(sink, hasher: context.hasher)
    }

    mutating func page() throws -> PageEnd {
        let compiled = level.compiled
        let isBounded = compiled.rowLimit < .max || level.plan.pageLimit.bytes == .max
        var hasMore = false
        let isSmall =
            compiled.rowLimit <= Self.batchRows
            || level.expansions.isEmpty && level.isNarrow && compiled.rowLimit <= Self.narrowRows
        if isSmall {
            let result =
                try ready
                ?? connection.query(compiled.text, compiled.bindings, isKept: true, isBinary: true)
            hasMore = try !pushBatch(result)
        } else if level.expansions.isEmpty, isBounded {
            try connection.stream(compiled.text, compiled.bindings) { row in
                hasMore = try !push([row], [])
                return !hasMore
            }
        } else {
            hasMore = try pushBatches()
        }
        return PageEnd(rows: rows, continuation: hasMore ? continuation : nil)
    }

    /// - Returns: whether the page filled before the rows ended.
    private mutating func pushBatches() throws -> Bool {
        let cursor = "tideline_page"
        _ = try connection.query(
            "DECLARE \(cursor) NO SCROLL CURSOR FOR \(level.compiled.text)",
            level.compiled.bindings
        )
        var count = level.expansions.isEmpty ? Self.batchRows : 32
        while true {
            let before = output.bytes
            let result = try connection.query("FETCH \(count) FROM \(cursor)", isKept: false, isBinary: true)
            guard try pushBatch(result) else {
                try connection.execute("CLOSE \(cursor)")
                return true
            }
            guard result.rowCount == count else { break }
            let size = output.bytes - before
            count = size > Self.batchBytes ? max(count / 2, 1) : min(count * 2, Self.batchRows)
        }
        try connection.execute("CLOSE \(cursor)")
        return false
    }

    private mutating func pushBatch(_ result: PostgresResult) throws -> Bool {
        let rows = Array(result)
        let expansions = try level.expansions.map { try $0.load(rows, on: connection) }
        return try push(rows, expansions)
    }

    /// Pushes rows until the page is full.
    ///
    /// - Returns: false when there is a row for which there was no place.
    private mutating func push(_ batch: [PostgresRow], _ expansions: [LoadedExpansion]) throws -> Bool {
        for (place, row) in batch.enumerated() {
            guard continuation == nil else { return false }
            sink.beginRow()
            let etag = try level.push(row, to: &output)
            for (index, expansion) in expansions.enumerated() {
                try expansion.push(of: place, as: index, into: sink, &output)
            }
            sink.endRow(etag: etag)
            rows += 1
            if rows >= level.compiled.rowLimit || output.bytes >= level.plan.pageLimit.bytes {
                continuation = try level.continuation(row)
            }
        }
        return true
    }
}

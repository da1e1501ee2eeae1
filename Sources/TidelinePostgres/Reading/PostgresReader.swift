// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// One snapshot of a store: what ``StoreReader`` asks, answered on one connection.
class PostgresReader: StoreReader {
    let connection: PostgresConnection
    let context: PostgresContext
    /// What the transaction is for.
    enum Purpose {
        case reading
        /// On a replica: it knows nothing of changes.
        case readingCopy
        /// What is read by its key is locked until the end.
        case writing
    }

    let purpose: Purpose
    /// What this snapshot knows of the log.
    private var moment: ChangeLog.Moment?
    /// Whether capture was found lost, whatever a closure made of the error.
    private(set) var isCaptureLost = false

    /// What was asked together, until it is read or anything is changed.
    var prefetched: [Prefetched: PostgresResult] = [:]

    /// What ended the transaction, whatever a closure made of the error: it is run again, or fails.
    private(set) var end: PostgresFailure?

    init(connection: PostgresConnection, context: PostgresContext, purpose: Purpose) {
        self.connection = connection
        self.context = context
        self.purpose = purpose
    }

    /// Runs `body`; what PostgreSQL refuses leaves as an error of the store, with wire names.
    func named<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try context.named(body)
        } catch let failure as PostgresFailure {
            end = end ?? failure
            throw failure
        }
    }

    func read(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        var plan = plan
        plan.restriction = try restriction(plan.source, of: plan.set)
        return try sourced(plan.source, calls(plan.invocations)) {
            let level = try PlanLevel(plan, context: context)
            let ready = prefetched.isEmpty ? nil : prefetched.removeValue(forKey: Prefetched(level.compiled))
            var reader = PlanReader(level, on: connection, context: context, into: sink, ready: ready)
            return try reader.page()
        }
    }

    func count(_ plan: ReadPlan) throws -> Int {
        var plan = plan
        plan.restriction = try restriction(plan.source, of: plan.set)
        let compiled = CountStatement(plan: plan, dialect: context.dialect)
        return try sourced(plan.source, calls(plan.invocations)) {
            Int(try connection.query(compiled.text, compiled.bindings, isKept: true)[0].integer(0) ?? 0)
        }
    }

    func aggregate(_ plan: AggregationPlan, into sink: any RowSink) throws -> Int {
        var plan = plan
        plan.restriction = try restriction(plan.source, of: plan.set)
        let compiled = AggregationStatement(plan, dialect: context.dialect)
        return try sourced(plan.source) {
            var rows = 0
            try connection.stream(compiled.text, compiled.bindings) { row in
                sink.beginRow()
                for column in compiled.types.indices {
                    _ = ComputedOutput.push(compiled.value(BinaryValue.stored(row, column), column), into: sink)
                }
                sink.endRow(etag: nil)
                rows += 1
                return true
            }
            return rows
        }
    }

    func entity(_ key: Key, in set: EntitySet) throws -> StoredEntity? {
        let statements = context.statements(set)
        guard let condition = try statements.condition(key) else { return nil }
        let sql = statements.select(condition.text) + (purpose == .writing ? statements.lock : "")
        return try named {
            let result = try connection.query(sql, condition.values, isKept: true, isBinary: true)
            guard result.rowCount > 0 else { return nil }
            return try statements.entity(result[0], hasher: context.hasher)
        }
    }

    /// Whether an entity exists.
    func exists(_ key: Key, in set: EntitySet) throws -> Bool {
        let statements = context.statements(set)
        guard let condition = try statements.condition(key) else { return false }
        let sql = "SELECT 1 FROM \(statements.table) AS t0 WHERE \(condition.text) LIMIT 1"
        return try named { try connection.query(sql, condition.values, isKept: true).rowCount > 0 }
    }

    func satisfies(_ condition: TypedExpression, key: Key, in set: EntitySet, user: UserContext) throws -> Bool {
        let compiled = CountStatement(
            condition: condition,
            in: set,
            model: context.model,
            user: user,
            dialect: context.dialect
        )
        var values: [SQLValue] = []
        for (value, parameter) in zip(key.values, compiled.parameters) {
            guard let stored = context.dialect.key(value, of: parameter.property) else { return false }
            values.append(stored)
        }
        return try sourced(nil, calls(condition.invocations)) {
            let result = try connection.query(compiled.text, values + compiled.bindings, isKept: true)
            return (result[0].integer(0) ?? 0) > 0
        }
    }

    func position() throws -> FeedPosition { ChangeLog.position(try logMoment()) }

    func publicationKey() throws -> [UInt8]? { try named { try Capture(connection: connection).etagKey() } }

    @discardableResult
    func changes(_ query: ChangeQuery, _ receive: (ChangedKey) throws -> Void) throws -> FeedPosition? {
        let moment = try logMoment()
        return try named {
            try ChangeLog(connection: connection).changes(query, in: context.model, at: moment, receive)
        }
    }

    func changedSets(since position: FeedPosition) throws -> Set<String> {
        let moment = try logMoment()
        let tables = try named { try ChangeLog(connection: connection).changedTables(since: position, at: moment) }
        return Set(context.model.sets.filter { tables.contains($0.names.database) }.map(\.names.wire))
    }

    func isChanged(
        _ key: Key,
        in set: EntitySet,
        since position: FeedPosition,
        exceptBy client: String
    ) throws -> Bool {
        let moment = try logMoment()
        return try named {
            try ChangeLog(connection: connection).isChanged(
                key,
                of: context.statements(set),
                since: position,
                exceptBy: client,
                at: moment
            )
        }
    }

    /// What this snapshot knows of the log, asked once; in a transaction that writes it changes with each change.
    ///
    /// Looks at capture in the same statement.
    /// - Throws: ``CaptureLost``, which makes the store restore it and run the closure again.
    private func logMoment() throws -> ChangeLog.Moment {
        if let moment { return moment }
        guard context.isTracked, purpose != .readingCopy else {
            throw StorageError(.unsupported, message: "This store does not log its changes.")
        }
        let found = try named { try ChangeLog(connection: connection).moment() }
        guard found.isWhole else {
            isCaptureLost = true
            throw CaptureLost()
        }
        if purpose == .reading { moment = found }
        return found
    }

    func mark(client: String) throws -> ClientMark? {
        let sql = "SELECT \"user\", number FROM tideline.clients WHERE client = $1"
        return try named {
            let result = try connection.query(sql, [.text(client)], isKept: true)
            guard result.rowCount > 0 else { return nil }
            return ClientMark(user: result[0].string(0), transaction: result[0].integer(1) ?? 0)
        }
    }

    func answer(client: String, request: String) throws -> KeptAnswer? {
        let sql = "SELECT number, hash, answer FROM tideline.answers WHERE client = $1 AND request = $2"
        return try named {
            let result = try connection.query(sql, [.text(client), .text(request)], isKept: true, isBinary: true)
            guard result.rowCount > 0 else { return nil }
            let row = result[0]
            return KeptAnswer(transaction: row.integer(0), requestHash: row.blob(1) ?? [], bytes: row.blob(2) ?? [])
        }
    }
}

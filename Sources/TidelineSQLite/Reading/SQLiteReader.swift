// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// One snapshot of a store: what ``StoreReader`` asks, answered on one connection.
class SQLiteReader: StoreReader {
    let connection: Database
    let context: SQLiteContext
    let reuses: KeyReuses
    /// Whether capture was looked at in this snapshot.
    private var isVerified = false

    init(connection: Database, context: SQLiteContext) {
        self.connection = connection
        self.context = context
        reuses = KeyReuses(connection)
    }

    func read(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        var plan = plan
        plan.restriction = try restriction(plan.source, of: plan.set)
        try context.dialect.functions?.check(plan.invocations, in: context.model)
        return try context.named {
            if let key = plan.wholeEntity {
                let reader = try PlanReader(
                    key,
                    connection: connection,
                    context: context,
                    plan: plan,
                    reuses: reuses
                )
                return try reader?.page(into: sink) ?? PageEnd(rows: 0, continuation: nil)
            }
            let reader = try PlanReader(
                connection: connection,
                context: context,
                plan: plan,
                reuses: reuses,
                prepare: context.prepared
            )
            return try reader.page(into: sink)
        }
    }

    func count(_ plan: ReadPlan) throws -> Int {
        var plan = plan
        plan.restriction = try restriction(plan.source, of: plan.set)
        try context.dialect.functions?.check(plan.invocations, in: context.model)
        return try context.named { try PlanReader.count(plan, connection: connection, context: context) }
    }

    func aggregate(_ plan: AggregationPlan, into sink: any RowSink) throws -> Int {
        var plan = plan
        plan.restriction = try restriction(plan.source, of: plan.set)
        return try context.named {
            try PlanReader.aggregate(plan, connection: connection, context: context, into: sink)
        }
    }

    func entity(_ key: Key, in set: EntitySet) throws -> StoredEntity? {
        let statements = context.statements(set)
        return try context.named {
            let statement = try PreparedStatement.cached(connection, statements.selectByKey)
            defer { statement.reset() }
            guard try statements.bind(key, to: statement), try statement.step() else { return nil }
            return try statements.entity(at: statement, hasher: context.hasher, reuses: reuses)
        }
    }

    /// Whether an entity exists.
    func exists(_ key: Key, in set: EntitySet) throws -> Bool {
        let statements = context.statements(set)
        return try context.named {
            let statement = try PreparedStatement.cached(connection, statements.existsByKey)
            defer { statement.reset() }
            return try statements.bind(key, to: statement) && statement.step()
        }
    }

    func satisfies(_ condition: TypedExpression, key: Key, in set: EntitySet, user: UserContext) throws -> Bool {
        try context.dialect.functions?.check(condition.invocations, in: context.model)
        return try context.named {
            try PlanReader.satisfies(
                condition,
                key: key,
                set: set,
                user: user,
                connection: connection,
                context: context
            )
        }
    }

    func position() throws -> FeedPosition {
        try verifyCapture()
        return try ChangeLog(connection: connection).position()
    }

    func publicationKey() throws -> [UInt8]? { try Capture(connection: connection).stateBytes("etag") }

    @discardableResult
    func changes(_ query: ChangeQuery, _ receive: (ChangedKey) throws -> Void) throws -> FeedPosition? {
        try verifyCapture()
        return try ChangeLog(connection: connection).changes(query, of: context.model, receive)
    }

    func changedSets(since position: FeedPosition) throws -> Set<String> {
        try verifyCapture()
        let tables = try ChangeLog(connection: connection).changedTables(since: position)
        return Set(context.model.sets.filter { tables.contains($0.names.database) }.map(\.names.wire))
    }

    func isReused(_ key: Key, in set: EntitySet, since position: FeedPosition) throws -> Bool {
        let statements = context.statements(set)
        guard case .integer(let key)? = key.values.first,
            let entry = try reuses.keys(of: statements)?.number(of: key)
        else { return false }
        return try ChangeLog(connection: connection).isLater(entry, than: position)
    }

    func isChanged(
        _ key: Key,
        in set: EntitySet,
        since position: FeedPosition,
        exceptBy client: String
    ) throws -> Bool {
        try verifyCapture()
        return try ChangeLog(connection: connection)
            .isChanged(key, of: context.statements(set), since: position, exceptBy: client)
    }

    /// Looks at capture when the schema changed since it was last looked at.
    ///
    /// - Throws: ``CaptureLost``, which makes the store restore it and run the closure again.
    func verifyCapture() throws {
        guard !isVerified else { return }
        guard context.isTracked else {
            throw StorageError(.unsupported, message: "This store does not log its changes.")
        }
        let version = try SQLiteContext.schemaVersion(connection)
        if context.verifiedSchema != version {
            guard try Capture(connection: connection).lostTables().isEmpty,
                try SearchIndex(connection: connection).isWhole(context.model, context.dialect.searched)
            else { throw CaptureLost() }
            context.verifiedSchema = version
        }
        isVerified = true
    }

    func mark(client: String) throws -> ClientMark? {
        let statement = try PreparedStatement.cached(
            connection,
            "SELECT user, number FROM tideline_clients WHERE client = ?"
        )
        defer { statement.reset() }
        statement.bind(client, 1)
        guard try statement.step() else { return nil }
        return ClientMark(user: statement.string(0), transaction: statement.integer(1))
    }

    func answer(client: String, request: String) throws -> KeptAnswer? {
        let statement = try PreparedStatement.cached(
            connection,
            "SELECT number, hash, answer FROM tideline_answers WHERE client = ? AND request = ?"
        )
        defer { statement.reset() }
        statement.bind(client, 1)
        statement.bind(request, 2)
        guard try statement.step() else { return nil }
        return KeptAnswer(
            transaction: statement.storageClass(0) == .null ? nil : statement.integer(0),
            requestHash: statement.bytes(1) ?? [],
            bytes: statement.bytes(2) ?? []
        )
    }
}

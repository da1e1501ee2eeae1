// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineModel
import TidelineStorage

/// Runs one compiled plan: steps its statement and pushes the rows.
///
///     step ─► push columns ─► hash all properties ─► run each expansion's statement with this row's values ─► endRow
///
/// No row becomes an object. Where the plan's columns are all properties in their order, one pass pushes and hashes.
final class PlanReader {
    /// An expansion: its own reader, run again for each row.
    private struct Child {
        let reader: PlanReader
        let count: (statement: PreparedStatement, compiled: CountStatement)?
        /// For each parameter the result column of this plan, and the forms on both sides.
        let sources: [Source]
    }

    private struct Source {
        let column: Int32
        /// How to read and to write the value, or `nil` where both columns hold it in the same form.
        let conversion: (reader: ColumnReader, writer: ColumnWriter)?
    }

    private let plan: ReadPlan
    private let compiled: SelectStatement
    private let statement: PreparedStatement
    /// Readers of the columns to push, and those of their usual values.
    private let pushed: [ColumnReader]
    private let plain: [PlainColumn]
    /// Readers of all properties with their result columns, in the order of the type, for the ETag.
    private let hashed: [(reader: ColumnReader, column: Int32)]
    private let isOnePass: Bool
    private let hasher: ETagHasher
    /// The reuses of keys, where there are any, and the result column of the key.
    private let reuse: (keys: KeyReuse, column: Int32)?
    private var children: [Child] = []
    private var bytes = 0

    /// Compiles and prepares a plan and its expansions.
    ///
    /// - Parameters:
    ///   - reuses: those of the transaction, in a database whose changes are captured.
    ///   - prepare: gives the statement of a text.
    convenience init(
        connection: Database,
        context: SQLiteContext,
        plan: ReadPlan,
        reuses: KeyReuses? = nil,
        prepare: (Database, String) throws -> PreparedStatement
    ) throws {
        let compiled = SelectStatement(plan: plan, dialect: context.dialect)
        let statement = try prepare(connection, compiled.text)
        try self.init(
            connection: connection,
            context: context,
            plan: plan,
            reuses: reuses,
            compiled: compiled,
            statement: statement
        )
    }

    /// The plan of one whole entity, by the statement of its set that is ready for that.
    ///
    /// `nil` when no entity can have that key.
    convenience init?(
        _ key: Key,
        connection: Database,
        context: SQLiteContext,
        plan: ReadPlan,
        reuses: KeyReuses
    ) throws {
        let statements = context.statements(plan.set)
        let statement = try context.prepared(connection, statements.selectByKey)
        guard try statements.bind(key, to: statement) else { return nil }
        let compiled = SelectStatement(wholeEntity: statements.selectByKey, of: plan.set)
        try self.init(
            connection: connection,
            context: context,
            plan: plan,
            reuses: reuses,
            compiled: compiled,
            statement: statement
        )
    }

    private init(
        connection: Database,
        context: SQLiteContext,
        plan: ReadPlan,
        reuses: KeyReuses?,
        compiled: SelectStatement,
        statement: PreparedStatement
    ) throws {
        self.plan = plan
        self.compiled = compiled
        hasher = context.hasher
        self.statement = statement
        let statements = context.statements(plan.set)
        let readers = statements.readers
        if plan.includesETag, let column = plan.set.type.key.first.flatMap(compiled.column),
            let keys = try reuses?.keys(of: statements)
        {
            reuse = (keys, Int32(column))
        } else {
            reuse = nil
        }
        pushed = plan.columns.map { readers[$0] }
        plain = pushed.map(\.plain)
        hashed =
            plan.includesETag
            ? readers.enumerated().compactMap { place, reader in
                compiled.column(of: place).map { (reader, Int32($0)) }
            } : []
        isOnePass = plan.includesETag && plan.columns == Array(readers.indices)
        for expansion in plan.expansions {
            children.append(
                try child(expansion, connection: connection, context: context, readers: readers, reuses: reuses)
            )
        }
    }

    private func child(
        _ expansion: ReadPlan.Expansion,
        connection: Database,
        context: SQLiteContext,
        readers: [ColumnReader],
        reuses: KeyReuses?
    ) throws -> Child {
        let select = SelectStatement(expansion: expansion, of: plan.set, dialect: context.dialect)
        // Never a kept statement: the same text may be running further up, as in an expansion over one set twice.
        let reader = try PlanReader(
            connection: connection,
            context: context,
            plan: expansion.plan,
            reuses: reuses,
            compiled: select,
            statement: try PreparedStatement(connection, select.text)
        )
        var count: (PreparedStatement, CountStatement)?
        if expansion.includesCount {
            let compiled = CountStatement(expansion: expansion, of: plan.set, dialect: context.dialect)
            count = (try PreparedStatement(connection, compiled.text), compiled)
        }
        let sources = try select.parameters.map { parameter in
            guard let column = compiled.column(of: parameter.source) else {
                throw StorageError(
                    .unsupported,
                    set: plan.set.names.wire,
                    message: "An expansion lacks its foreign key."
                )
            }
            let source = plan.set.type.properties[parameter.source]
            let isSame =
                source.type == parameter.property.type && source.storage == parameter.property.storage
                && source.scale == parameter.property.scale
            return Source(
                column: Int32(column),
                conversion: isSame
                    ? nil
                    : (
                        readers[parameter.source],
                        ColumnWriter(parameter.property, enumeration: context.model.enumeration(of: parameter.property))
                    )
            )
        }
        return Child(reader: reader, count: count, sources: sources)
    }

    /// Pushes one page.
    func page(into sink: any RowSink) throws -> PageEnd {
        statement.bind(compiled.bindings, after: compiled.parameters.count)
        return try run(into: sink)
    }

    /// Pushes rows until the page is full.
    ///
    /// All parameters are bound.
    private func run(into sink: any RowSink) throws -> PageEnd {
        defer { statement.reset() }
        var output = TeeOutput(sink: SinkOutput(sink), hash: HashOutput(hasher: hasher))
        let (statement, plain) = (statement, plain)
        bytes = 0
        defer { bytes &+= output.sink.bytes }
        var rows = 0
        while try statement.step() {
            sink.beginRow()
            var etag: ETag?
            if isOnePass {
                output.hash.hasher.begin()
                for place in plain.indices {
                    let column = Int32(truncatingIfNeeded: place)
                    output.hash.place = place
                    guard !plain[place].read(statement, column, to: &output) else { continue }
                    try pushed[place].give(statement, column, to: &output)
                }
                etag = output.hash.hasher.finish()
            } else {
                for place in plain.indices {
                    let column = Int32(truncatingIfNeeded: place)
                    guard !plain[place].read(statement, column, to: &output.sink) else { continue }
                    try pushed[place].give(statement, column, to: &output.sink)
                }
                if plan.includesETag { etag = try hash(&output.hash) }
            }
            if let reuse, let content = etag {
                etag = try reuse.keys.etag(content, of: statement.integer(reuse.column))
            }
            for column in compiled.computed {
                // What has another form than its type has no value.
                let value = column.value(of: statement.stored(Int32(column.column))) ?? .null
                bytes &+= ComputedOutput.push(value, into: sink)
            }
            for place in children.indices { try expand(place, into: sink) }
            sink.endRow(etag: etag)
            rows += 1
            guard rows >= compiled.rowLimit || output.sink.bytes &+ bytes >= plan.pageLimit.bytes else { continue }
            // The page is full: the values of its last row are the continuation, if another row follows.
            let continuation = Result { try self.continuation() }
            return PageEnd(rows: rows, continuation: try statement.step() ? continuation.get() : nil)
        }
        return PageEnd(rows: rows, continuation: nil)
    }

    private func hash(_ output: inout HashOutput) throws -> ETag {
        output.hasher.begin()
        for (reader, column) in hashed {
            output.place = reader.place
            try reader.give(statement, column, to: &output)
        }
        return output.hasher.finish()
    }

    private func expand(_ place: Int, into sink: any RowSink) throws {
        let child = children[place]
        sink.beginExpansion(place)
        var count: Int? = child.count == nil ? nil : 0
        let isNull = child.sources.contains { statement.storageClass($0.column) == .null }
        if !isNull {
            try bind(child.sources, to: child.reader.statement)
            child.reader.statement.bind(child.reader.compiled.bindings, after: child.sources.count)
            if let place = try child.reader.run(into: sink).continuation { sink.moreFollow(after: place) }
            bytes &+= child.reader.bytes
            if let counter = child.count {
                try bind(child.sources, to: counter.statement)
                counter.statement.bind(counter.compiled.bindings, after: child.sources.count)
                count = try counter.statement.step() ? Int(counter.statement.integer(0)) : 0
                counter.statement.reset()
            }
        }
        sink.endExpansion(place, count: count)
    }

    private func bind(_ sources: [Source], to target: PreparedStatement) throws {
        for (parameter, source) in sources.enumerated() {
            if let conversion = source.conversion {
                // What the column holds without being a value of its type refers to nothing.
                var output = ValueOutput(type: conversion.reader.type)
                try conversion.reader.give(statement, source.column, to: &output)
                try conversion.writer.bind(output.value ?? .null, target, Int32(parameter + 1))
            } else {
                target.bind(column: source.column, of: statement, Int32(parameter + 1))
            }
        }
    }

    /// The values of the order's keys in the row at hand.
    private func continuation() throws -> [Value] {
        try compiled.continuation.map { column in
            guard let value = column.value(of: statement.stored(Int32(column.column))) else {
                throw StorageError(
                    .unreadableValue,
                    set: plan.set.names.wire,
                    properties: column.property.map { [$0.names.wire] } ?? [],
                    message: "A value of the order does not fit the form that the model gives it."
                )
            }
            return value
        }
    }
}

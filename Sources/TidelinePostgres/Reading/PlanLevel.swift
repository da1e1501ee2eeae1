// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// One plan of a tree of plans: its statement, and how rows of it are pushed.
final class PlanLevel {
    let plan: ReadPlan
    let compiled: SelectStatement
    /// Where the plan's columns begin in a row: an expansion's first column is the number of the row outside.
    let offset: Int
    private(set) var expansions: [ExpansionReader] = []
    /// Readers of the columns to push.
    private let pushed: [ColumnReader]
    private let plain: [PlainColumn]
    /// Readers of all properties with their result columns, in the order of the type, for the ETag.
    private let hashed: [(reader: ColumnReader, column: Int)]
    private let isOnePass: Bool
    private let readers: [ColumnReader]

    /// The plan of a page.
    convenience init(_ plan: ReadPlan, context: PostgresContext) throws {
        // That of one whole entity its set has ready.
        let ready = try plan.wholeEntity.flatMap { try context.statements(plan.set).wholeEntity($0) }
        let compiled = ready ?? SelectStatement(plan: plan, dialect: context.dialect)
        try self.init(plan, compiled, offset: 0, context: context)
    }

    init(_ plan: ReadPlan, _ compiled: SelectStatement, offset: Int, context: PostgresContext) throws {
        self.plan = plan
        self.compiled = compiled
        self.offset = offset
        let readers = context.statements(plan.set).readers
        self.readers = readers
        pushed = plan.columns.map { readers[$0] }
        plain = pushed.map(\.plain)
        hashed =
            plan.includesETag
            ? readers.enumerated().compactMap { place, reader in
                compiled.column(of: place).map { (reader, $0 + offset) }
            } : []
        isOnePass = plan.includesETag && plan.columns == Array(readers.indices)
        expansions = try plan.expansions.map { try ExpansionReader($0, of: self, context: context) }
    }

    /// Whether no row can be wide: every column is of bounded width, or says so.
    var isNarrow: Bool {
        compiled.properties.allSatisfy { place in
            let property = plan.set.type.properties[place]
            switch property.type {
            case .string, .binary: return property.maxLength.map { $0 <= 500 } ?? false
            default: return !property.type.isSpatial
            }
        }
    }

    /// The value of a property in a row; null where its column holds none of its type.
    func value(of property: Int, _ row: PostgresRow) throws -> Value {
        guard let column = compiled.column(of: property) else {
            throw StorageError(
                .unsupported,
                set: plan.set.names.wire,
                message: "A plan lacks a property that it needs."
            )
        }
        var output = ValueOutput(type: plan.set.type.properties[property].type)
        try readers[property].give(row, column + offset, to: &output)
        return output.value ?? .null
    }

    /// Pushes the columns of a row and hashes the entity.
    func push(_ row: PostgresRow, to output: inout RowOutput) throws -> ETag? {
        if isOnePass {
            output.hasher.begin()
            output.isHashed = true
            for place in plain.indices {
                output.place = place
                try push(place, row, to: &output)
            }
            output.isHashed = false
            let etag = output.hasher.finish()
            pushComputed(row, to: &output)
            return etag
        }
        for place in plain.indices { try push(place, row, to: &output) }
        pushComputed(row, to: &output)
        guard plan.includesETag else { return nil }
        output.hasher.begin()
        output.isPushed = false
        output.isHashed = true
        for (reader, column) in hashed {
            output.place = reader.place
            try reader.give(row, column, to: &output)
        }
        output.isPushed = true
        output.isHashed = false
        return output.hasher.finish()
    }

    @inline(__always)
    private func push(_ place: Int, _ row: PostgresRow, to output: inout RowOutput) throws {
        guard !plain[place].read(row, place + offset, to: &output) else { return }
        try pushed[place].give(row, place + offset, to: &output)
    }

    private func pushComputed(_ row: PostgresRow, to output: inout RowOutput) {
        for column in compiled.computed {
            // What has another form than its type has no value.
            output.push(column.value(of: BinaryValue.stored(row, column.column + offset)) ?? .null)
        }
    }

    /// The values of the order's keys in a row.
    func continuation(_ row: PostgresRow) throws -> [Value] {
        try compiled.continuation.map { column in
            if let property = column.property {
                let reader = ColumnReader(property, place: 0, set: plan.set.names.wire, model: plan.model)
                return try reader.value(row, column.column + offset)
            }
            guard let value = column.value(of: BinaryValue.stored(row, column.column + offset)) else {
                throw StorageError(
                    .unreadableValue,
                    set: plan.set.names.wire,
                    message: "A value of the order does not fit the form that the model gives it."
                )
            }
            return value
        }
    }
}

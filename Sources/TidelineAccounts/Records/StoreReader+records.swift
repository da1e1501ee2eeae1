// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension StoreReader {
    /// The values of one record, or `nil`.
    func record(_ key: [String], in set: EntitySet) throws -> Record? {
        try entity(Key(key.map(Value.string)), in: set).map { Record(values: $0.values) }
    }

    /// All records that satisfy a condition, in the order of their keys.
    func records(of set: EntitySet, where condition: TypedExpression, atMost limit: Int = .max) throws -> [Record] {
        let sink = RecordSink()
        let plan = ReadPlan(
            model: ControlModel.model,
            set: set,
            filter: condition,
            top: limit == .max ? nil : limit,
            includesETag: false
        )
        _ = try read(plan, into: sink)
        return sink.rows.map { Record(values: $0) }
    }
}

extension StoreWriter {
    /// Inserts a record of all values.
    func insertRecord(_ values: [Value], into set: EntitySet) throws {
        _ = try insert(Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0, $1) }), into: set)
    }
}

/// One row of the control store, read by place.
struct Record {
    var values: [Value]

    func text(_ place: Int) -> String {
        if case .string(let text) = values[place] { text } else { "" }
    }

    func number(_ place: Int) -> Int64 {
        if case .integer(let number) = values[place] { number } else { 0 }
    }

    func flag(_ place: Int) -> Bool { values[place] == .boolean(true) || values[place] == .integer(1) }

    func bytes(_ place: Int) -> [UInt8] {
        if case .binary(let bytes) = values[place] { bytes } else { [] }
    }
}

extension EntitySet {
    /// `Property eq 'text'`.
    func equals(_ place: Int, _ text: String) -> TypedExpression {
        comparison(.equal, place, .string(text))
    }

    /// `Property lt number`.
    func isBelow(_ place: Int, _ number: Int64) -> TypedExpression {
        comparison(.lessThan, place, .integer(number))
    }

    private func comparison(_ operation: Expression.BinaryOperator, _ place: Int, _ value: Value) -> TypedExpression {
        let type = self.type.properties[place].type
        return TypedExpression(
            node: .binary(
                operation,
                TypedExpression(node: .path(.init(property: place)), type: type),
                TypedExpression(node: .literal(value), type: type)
            ),
            type: .boolean
        )
    }
}

/// Both conditions.
func && (left: TypedExpression, right: TypedExpression) -> TypedExpression {
    TypedExpression(node: .binary(.and, left, right), type: .boolean)
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Takes rows apart into values: for reads of a few columns whose rows the service itself looks at.
final class KeySink: RowSink {
    private let types: [PrimitiveType]
    private var row: [Value] = []
    /// The values of each row, in the order of the plan's columns.
    private(set) var rows: [[Value]] = []
    /// The version of the last row.
    private(set) var etag: ETag?
    /// The places of the columns, in all rows, that hold no value of their types.
    private(set) var exceptions: Set<Int> = []

    /// For rows of the key properties alone.
    convenience init(_ type: EntityType) {
        self.init(type, columns: type.key)
    }

    init(_ type: EntityType, columns: [Int]) {
        types = columns.map { type.properties[$0].type }
    }

    /// The rows as keys, for a plan whose columns are the key properties.
    var keys: [Key] { rows.map { Key($0) } }

    func beginRow() { row.removeAll(keepingCapacity: true) }
    func null() { row.append(.null) }
    func boolean(_ value: Bool) { row.append(.boolean(value)) }
    func integer(_ value: Int64) { row.append(.integer(value)) }
    func double(_ value: Double) { row.append(.double(value)) }
    func text(_ utf8: UnsafeRawBufferPointer) {
        let text = unsafe String(decoding: utf8, as: UTF8.self)
        let type = row.count < types.count ? types[row.count] : .string
        // Members of an enumeration, and JSON, are text where the type is another.
        row.append(type == .string ? .string(text) : Value(text: text, as: type) ?? .string(text))
    }
    func binary(_ bytes: UnsafeRawBufferPointer) { row.append(.binary(unsafe Array(bytes))) }
    func exception(_ held: String?) {
        exceptions.insert(row.count)
        row.append(.null)
    }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) {
        rows.append(row)
        self.etag = etag
    }
}

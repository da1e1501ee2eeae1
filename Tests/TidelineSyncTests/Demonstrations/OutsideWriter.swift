// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Writes to a service's database by the names of properties, beside the service.
struct OutsideWriter {
    let writer: any StoreWriter
    let model: EntityModel

    struct UnknownSet: Error {}

    private func named(_ name: String) throws -> EntitySet {
        guard let set = model[set: name] else { throw UnknownSet() }
        return set
    }

    private func placed(_ values: [String: Value], _ set: EntitySet) -> [Int: Value] {
        var placed: [Int: Value] = [:]
        for (place, property) in set.type.properties.enumerated() { placed[place] = values[property.names.wire] }
        return placed
    }

    func insert(_ values: [String: Value], into name: String) throws {
        let set = try named(name)
        _ = try writer.insert(placed(values, set), into: set)
    }

    func update(_ key: Int64, _ values: [String: Value], in name: String) throws {
        let set = try named(name)
        _ = try writer.update(Key([.integer(key)]), placed(values, set), in: set)
    }

    func delete(_ key: Int64, in name: String) throws {
        _ = try writer.delete(Key([.integer(key)]), in: try named(name))
    }
}

/// Rows as text, with `|` between the values and `-` for null.
final class TextSink: RowSink {
    private(set) var rows: [String] = []
    private var row: [String] = []

    func beginRow() { row = [] }
    func null() { row.append("-") }
    func boolean(_ value: Bool) { row.append("\(value)") }
    func integer(_ value: Int64) { row.append("\(value)") }
    func double(_ value: Double) { row.append("\(value)") }
    func text(_ utf8: UnsafeRawBufferPointer) { unsafe row.append(String(decoding: utf8, as: UTF8.self)) }
    func binary(_ bytes: UnsafeRawBufferPointer) { row.append("\(bytes.count) bytes") }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) { rows.append(row.joined(separator: "|")) }
}

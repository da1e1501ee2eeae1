// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineMemory
import TidelineModel
import TidelineStorage

/// The entities of a store in memory, which keeps the same rules as a database.
struct MemoryEntityService<Element: Queryable>: EntityService {
    private let store: MemoryStore

    init(_ store: MemoryStore) { self.store = store }

    private var name: String { Element.entityDescription.set }

    func create(_ entity: Element) async throws(EntityServiceError) -> Element {
        try await EntityServiceError.telling(of: name) {
            let set = try Element.entitySet(in: store.model)
            var values = entity.values(forNewIn: set, at: Array(Element.entityDescription.properties.indices))
            // Without a service nobody computes a default.
            for (place, property) in set.type.properties.enumerated()
            where property.generation == .onInsert && !set.type.key.contains(place) && values[place] == nil {
                values[place] = .null
            }
            try check(values, in: set)
            return try store.write { writer in
                let key = try writer.insert(values, into: set)
                return try stored(key, writer, set)
            }
        }
    }

    func update(_ entity: Element) async throws(EntityServiceError) -> Element {
        try await EntityServiceError.telling(of: name) {
            let set = try Element.entitySet(in: store.model)
            return try store.write { writer in
                guard let old = try writer.entity(entity.entityKey, in: set) else {
                    throw EntityServiceError.noSuchEntity(of: name)
                }
                var values: [Int: Value] = [:]
                for (place, value) in entity.edmValues.enumerated()
                where set.type.brings(value, at: place) && value != old.values[place] {
                    values[place] = value
                }
                try check(values, in: set)
                if !values.isEmpty { _ = try writer.update(entity.entityKey, values, in: set) }
                return try stored(entity.entityKey, writer, set)
            }
        }
    }

    func delete(_ entity: Element) async throws(EntityServiceError) {
        try await EntityServiceError.telling(of: name) {
            let set = try Element.entitySet(in: store.model)
            let wasThere = try store.write { try $0.delete(entity.entityKey, in: set) }
            guard wasThere else { throw EntityServiceError.noSuchEntity(of: name) }
        }
    }

    func get(_ key: Key) async throws(EntityServiceError) -> Element? {
        try await EntityServiceError.telling(of: name) {
            let set = try Element.entitySet(in: store.model)
            return try store.read { try $0.entity(key, in: set) }.map { try Element(edmValues: $0.values) }
        }
    }

    func getMany(_ criteria: Query<Element>) async throws(EntityServiceError) -> [Element] {
        try await EntityServiceError.telling(of: name) {
            let plan = try criteria.plan(over: store.model)
            let sink = ValueSink(plan.columns.map { plan.set.type.properties[$0].type })
            _ = try store.read { try $0.read(plan, into: sink) }
            return try sink.rows.map { try Element(edmValues: $0) }
        }
    }

    /// Makes sure that values keep the rules of their properties, which the store in memory knows nothing of.
    private func check(_ values: [Int: Value], in set: EntitySet) throws {
        for (place, value) in values.sorted(by: { $0.key < $1.key }) where !value.isNull {
            let property = set.type.properties[place]
            guard let broken = property.violations(of: value).first else { continue }
            throw EntityServiceError(.invalid, set: name, properties: [property.names.wire], message: broken.message)
        }
    }

    private func stored(_ key: Key, _ reader: any StoreReader, _ set: EntitySet) throws -> Element {
        guard let row = try reader.entity(key, in: set) else { throw EntityServiceError.noSuchEntity(of: name) }
        return try Element(edmValues: row.values)
    }
}

/// Collects the values of pushed rows.
private final class ValueSink: RowSink {
    private let types: [PrimitiveType]
    private(set) var rows: [[Value]] = []
    private var row: [Value] = []

    init(_ types: [PrimitiveType]) { self.types = types }

    func beginRow() { row.removeAll(keepingCapacity: true) }
    func null() { row.append(.null) }
    func boolean(_ value: Bool) { row.append(.boolean(value)) }
    func integer(_ value: Int64) { row.append(.integer(value)) }
    func double(_ value: Double) { row.append(.double(value)) }
    func binary(_ bytes: UnsafeRawBufferPointer) { unsafe row.append(.binary(Array(bytes))) }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) { rows.append(row) }

    func text(_ utf8: UnsafeRawBufferPointer) {
        let text = unsafe String(decoding: utf8, as: UTF8.self)
        let type = row.count < types.count ? types[row.count] : .string
        row.append(type == .string ? .string(text) : Value(text: text, as: type) ?? .null)
    }
}

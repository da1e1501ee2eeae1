// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// The entities of a store file, alone or in step with a service.
struct LocalEntityService<Element: Queryable>: EntityService {
    private let store: LocalStore
    /// Told after each change; `nil` where the file is alone.
    private let changed: (@Sendable () -> Void)?

    init(_ store: LocalStore, changed: (@Sendable () -> Void)? = nil) {
        self.store = store
        self.changed = changed
    }

    private var name: String { Element.entityDescription.set }

    func create(_ entity: Element) async throws(EntityServiceError) -> Element {
        let created = try await EntityServiceError.telling(of: name) {
            let set = try Element.entitySet(in: store.model)
            return try await store.write { [store, name] transaction in
                let values = try transaction.current(try entity.values(for: set, isNew: true), of: set)
                let key = try transaction.insert(values, into: name)
                guard let entity = try transaction.fetch(Element.query(key: key, over: store.model)).first else {
                    throw EntityServiceError.noSuchEntity(of: name)
                }
                return entity
            }
        }
        changed?()
        return created
    }

    func update(_ entity: Element) async throws(EntityServiceError) -> Element {
        let updated = try await EntityServiceError.telling(of: name) {
            let set = try Element.entitySet(in: store.model)
            return try await store.write { [store, name] transaction in
                let key = try transaction.currentKey(entity.entityKey, in: name)
                let values = try transaction.current(try entity.values(for: set, isNew: false), of: set)
                guard try transaction.update(key, values, in: name),
                    let entity = try transaction.fetch(Element.query(key: key, over: store.model)).first
                else { throw EntityServiceError.noSuchEntity(of: name) }
                return entity
            }
        }
        changed?()
        return updated
    }

    func delete(_ entity: Element) async throws(EntityServiceError) {
        try await EntityServiceError.telling(of: name) {
            try await store.write { [name] transaction in
                let key = try transaction.currentKey(entity.entityKey, in: name)
                guard try transaction.delete(key, in: name) else { throw EntityServiceError.noSuchEntity(of: name) }
            }
        }
        changed?()
    }

    func get(_ key: Key) async throws(EntityServiceError) -> Element? {
        try await EntityServiceError.telling(of: name) {
            try await store.read { [store, name] reader in
                let key = try reader.currentKey(key, in: name)
                return try reader.fetch(Element.query(key: key, over: store.model)).first
            }
        }
    }

    func getMany(_ criteria: Query<Element>) async throws(EntityServiceError) -> [Element] {
        try await EntityServiceError.telling(of: name) { try await store.read { try $0.fetch(criteria) } }
    }
}

extension LocalTransaction {
    /// The values of an entity that was read before a sync, with the keys that the service gave since.
    fileprivate func current(_ values: [String: Value], of set: EntitySet) throws -> [String: Value] {
        var values = values
        for navigation in set.type.navigationProperties
        where navigation.isDependent && navigation.constraints.count == 1 {
            let name = set.type.properties[navigation.constraints[0].source].names.wire
            guard let value = values[name] else { continue }
            values[name] = try currentKey(Key([value]), in: navigation.targetSet).values.first
        }
        return values
    }
}

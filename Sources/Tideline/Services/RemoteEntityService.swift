// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData

/// The entities of a set of a service: every call asks it.
struct RemoteEntityService<Element: Queryable>: EntityService {
    private let connection: RemoteConnection
    private let seen: SeenVersions

    init(_ connection: RemoteConnection) {
        self.connection = connection
        seen = connection.seen(of: Element.self)
    }

    private var client: ODataClient { connection.client }
    private var name: String { Element.entityDescription.set }

    func create(_ entity: Element) async throws(EntityServiceError) -> Element {
        try await EntityServiceError.telling(of: name) {
            let (shape, version) = try await self.shape()
            let values = entity.values(forNewIn: shape.set, at: shape.places).sorted { $0.key < $1.key }
            let row = try await client.insert(
                values.map { (place: $0.key, value: $0.value) },
                into: shape.set,
                columns: shape.columns,
                version: version
            )
            return try note(row, shape, local: entity)
        }
    }

    func update(_ entity: Element) async throws(EntityServiceError) -> Element {
        try await EntityServiceError.telling(of: name) {
            let (shape, version) = try await self.shape()
            let key = entity.entityKey
            var base = seen[key]
            if base?.etag == nil { base = try await client.entity(key, in: shape.set, columns: shape.columns) }
            guard let base else { throw noSuchEntity }
            var changed: [(place: Int, value: Value)] = []
            for (place, (old, new)) in zip(shape.columns, zip(base.values, shape.row(entity)))
            where shape.isChangeable(place, to: new) && old != new {
                changed.append((place, new))
            }
            guard !changed.isEmpty else {
                guard let now = try await client.entity(key, in: shape.set, columns: shape.columns) else {
                    seen.forget(key)
                    throw noSuchEntity
                }
                return try note(now, shape, local: entity)
            }
            do {
                let row = try await client.update(
                    key,
                    changed,
                    in: shape.set,
                    columns: shape.columns,
                    ifMatch: base.etag,
                    version: version
                )
                return try note(row, shape, local: entity)
            } catch let error as ClientError {
                throw try await explained(error, key, shape)
            }
        }
    }

    func delete(_ entity: Element) async throws(EntityServiceError) {
        try await EntityServiceError.telling(of: name) {
            let (shape, _) = try await self.shape()
            let key = entity.entityKey
            do {
                try await client.delete(key, in: shape.set, ifMatch: seen[key]?.etag)
                seen.forget(key)
            } catch let error as ClientError {
                throw try await explained(error, key, shape)
            }
        }
    }

    func get(_ key: Key) async throws(EntityServiceError) -> Element? {
        try await EntityServiceError.telling(of: name) {
            let (shape, _) = try await self.shape()
            guard let row = try await client.entity(key, in: shape.set, columns: shape.columns) else {
                seen.forget(key)
                return nil
            }
            return try note(row, shape)
        }
    }

    func getMany(_ criteria: Query<Element>) async throws(EntityServiceError) -> [Element] {
        try await EntityServiceError.telling(of: name) {
            let (shape, _) = try await self.shape()
            let rows = try await client.entities(of: shape.set, columns: shape.columns, options: try criteria.options())
            return try rows.map { try note($0, shape) }
        }
    }

    // MARK: Parts

    private func shape() async throws -> (RemoteShape<Element>, ODataVersion) {
        let metadata = try await connection.metadata()
        return (try RemoteShape(model: metadata.model), metadata.version)
    }

    /// Remembers the version of an entity and makes it.
    private func note(_ row: RemoteEntity, _ shape: RemoteShape<Element>, local: Element? = nil) throws -> Element {
        let entity = try shape.entity(row.values, local: local)
        seen.note(row, of: entity.entityKey)
        return entity
    }

    /// A failed precondition says either that somebody changed the entity, or that it is gone.
    private func explained(_ error: ClientError, _ key: Key, _ shape: RemoteShape<Element>) async throws -> any Error {
        switch error.code {
        case .notFound:
            seen.forget(key)
            return noSuchEntity
        case .preconditionFailed:
            seen.forget(key)
            guard try await client.entity(key, in: shape.set, columns: shape.columns) == nil else {
                return EntityServiceError(
                    .conflict,
                    set: name,
                    message: "The entity of \(name) was changed by somebody else; read it again.",
                    cause: error
                )
            }
            return noSuchEntity
        default: return error
        }
    }

    private var noSuchEntity: EntityServiceError { .noSuchEntity(of: name) }
}

extension EntityServiceError {
    static func noSuchEntity(of set: String) -> EntityServiceError {
        EntityServiceError(.notFound, set: set, message: "There is no entity of \(set) with this key.")
    }
}

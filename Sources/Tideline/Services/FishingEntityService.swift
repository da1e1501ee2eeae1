// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The spots of a server that speaks the wire of the fishing app: every call asks it.
///
/// The wire knows no conditions, so ``getMany(_:)`` asks for all spots and evaluates the query here, with the meaning that
/// it has in a store. It knows no versions either: of two who change a spot the later one wins.
struct FishingEntityService<Element: Queryable>: EntityService {
    private let connection: FishingConnection

    init(_ connection: FishingConnection) { self.connection = connection }

    private var name: String { Element.entityDescription.set }

    func create(_ entity: Element) async throws(EntityServiceError) -> Element {
        try await EntityServiceError.telling(of: name) { try await write("create", entity, id: "0") }
    }

    func update(_ entity: Element) async throws(EntityServiceError) -> Element {
        try await EntityServiceError.telling(of: name) { try await write("update", entity, id: id(entity.entityKey)) }
    }

    func delete(_ entity: Element) async throws(EntityServiceError) {
        try await EntityServiceError.telling(of: name) {
            _ = try FishingWire<Element>()
            let id = id(entity.entityKey)
            _ = try await connection.ask("delete", name) { _ in [("id", id)] }.checked(set: name)
        }
    }

    func get(_ key: Key) async throws(EntityServiceError) -> Element? {
        try await EntityServiceError.telling(of: name) {
            let wire = try FishingWire<Element>()
            let id = id(key)
            let answer = try await connection.ask("get", name) { _ in [("id", id)] }
            if answer.code == FishingAnswer.noSpot { return nil }
            return try one(answer, wire)
        }
    }

    func getMany(_ criteria: Query<Element>) async throws(EntityServiceError) -> [Element] {
        try await EntityServiceError.telling(of: name) {
            let wire = try FishingWire<Element>()
            let items = try await connection.ask("list", name) { _ in [] }.checked(set: name)
            return try criteria.evaluated(over: items.map { try wire.entity($0) })
        }
    }

    // MARK: Parts

    private func write(_ action: String, _ entity: Element, id: String) async throws -> Element {
        let wire = try FishingWire<Element>()
        // What cannot be sent is refused before anything is.
        let parameters = try wire.parameters(entity, id: id, user: "")
        let answer = try await connection.ask(action, name) { user in
            parameters.map { $0.0 == "author" ? ($0.0, user) : $0 }
        }
        return try one(answer, wire)
    }

    private func one(_ answer: FishingAnswer, _ wire: FishingWire<Element>) throws -> Element {
        guard let item = try answer.checked(set: name).first else {
            throw EntityServiceError(.unfit, set: name, message: "The answer of the server has no item.")
        }
        return try wire.entity(item)
    }

    private func id(_ key: Key) -> String { key.values.first?.text ?? "" }
}

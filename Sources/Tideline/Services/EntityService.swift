// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The entities of one type, wherever they are kept: on a service, in a file of the device, in both, or in memory.
///
///     let spots: any EntityService<FishingSpot> = services.service(for: FishingSpot.self)
///     let pier = try await spots.create(FishingSpot(name: "Old pier"))
///     let mine = try await spots.getMany(FishingSpot.where { $0.owner == user }.sorted { $0.name })
///
/// Any number of calls may run at once. A call that is cancelled throws ``EntityServiceError/Code/cancelled``; a change
/// that was under way then is done as a whole or not at all. ``EntityServices`` makes the implementations.
public protocol EntityService<Element>: Sendable {
    /// The entity.
    associatedtype Element: Queryable

    /// Inserts an entity.
    ///
    /// A key that is made elsewhere is made, whatever the entity has there.
    /// - Returns: the entity as it is kept, with its key.
    func create(_ entity: Element) async throws(EntityServiceError) -> Element

    /// Changes the properties in which an entity differs from what is kept.
    ///
    /// - Returns: the entity as it is kept now.
    /// - Throws: ``EntityServiceError`` with `notFound` when there is no entity of its key, with `conflict` when somebody
    ///   else has changed it since this service read it.
    func update(_ entity: Element) async throws(EntityServiceError) -> Element

    /// Deletes an entity, and does with its dependents what the delete rules say.
    ///
    /// - Throws: ``EntityServiceError`` with `notFound` when there is none of its key.
    func delete(_ entity: Element) async throws(EntityServiceError)

    /// The entity of a key, or `nil`.
    func get(_ key: Key) async throws(EntityServiceError) -> Element?

    /// The entities of a query, in its order; those in one place of the order come by key.
    func getMany(_ criteria: Query<Element>) async throws(EntityServiceError) -> [Element]
}

extension EntityService {
    /// The entity of a key, or `nil`.
    ///
    /// - Parameter key: the values of its key properties, in their order.
    public func get(_ key: any PropertyValue...) async throws(EntityServiceError) -> Element? {
        try await get(Key(key.map(\.edmValue)))
    }

    /// All entities, by key.
    public func getMany() async throws(EntityServiceError) -> [Element] { try await getMany(Element.all) }
}

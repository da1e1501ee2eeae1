// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tideline

@Entity("Songs")
struct Song: Equatable {
    @Key @Name("SongId") var id: Int32
    var title: String
    var artist: String?
    var seconds: Int32?
    @Precision(12, scale: 2) var gross: EdmDecimal?
    var rating: Double?
}

@Entity("Films")
struct Film: Equatable {
    @Key @Name("FilmId") var id: Int32
    var title: String
    @Precision(12, scale: 2) var gross: EdmDecimal
    var summary: String
}

@Entity("Tracks")
struct Track: Equatable {
    @Key @Name("TrackId") var id: Int32
    var name: String
}

@Entity("Sessions", type: "Session")
struct ConferenceSession: Equatable {
    @Key(generated: true) @Name("SessionId") var id: Int32
    var code: String = ""
    var number: Int32 = 0
    var seats: Int32?
    @Reference("Track", to: Track.self, onDelete: .cascade) var trackId: Int32?
}

@Entity("Items")
struct Item: Equatable {
    @Key @Name("ItemId") var id: Int32
    var name: String
    var photo: [UInt8]?
    var stock: Int64?
    var weight: Double?
}

@Entity("Stores")
struct Store: Equatable {
    @Key @Name("StoreId") var id: Int32
    var name: String
}

@Entity("ItemsAtStores")
struct ItemAtStore: Equatable {
    @Key @Reference("Item", to: Item.self, onDelete: .cascade) var itemId: Int32
    @Key @Reference("Store", to: Store.self, onDelete: .cascade) var storeId: Int32
}

/// A new store file for some entities, removed with the test.
final class QueryStore {
    let store: LocalStore
    private let folder: URL

    var path: String { folder.appending(path: "world.tideline").path }

    init(_ model: EntityModel) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tideline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LocalStore.create(path: folder.appending(path: "world.tideline").path, model: model)
    }

    static func songs(_ songs: [Song]) throws -> QueryStore {
        let world = try QueryStore(EntityModel(Song.self))
        try world.store.write { tx in try tx.insert(contentsOf: songs) }
        return world
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }
}

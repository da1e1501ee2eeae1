// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tideline

/// A new store file with two clients and three orders, removed with the test.
final class ShopStore {
    static let ann = GUID(high: 1, low: 1)
    static let bob = GUID(high: 2, low: 2)
    static let day = DateTimeOffset(seconds: 1_750_000_000)

    let store: LocalStore
    private let folder: URL

    init(isEmpty: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tideline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LocalStore.create(
            path: folder.appending(path: "shop.tideline").path,
            model: EntityModel(Client.self, Order.self, Part.self)
        )
        guard !isEmpty else { return }
        try store.write { tx in
            try tx.insert(Client(clientId: Self.ann, clientName: "Ann"))
            try tx.insert(Client(clientId: Self.bob, clientName: "Bob", contactPhone: "555"))
            try tx.insert(Order(orderDate: Self.day, total: 12.50, clientId: Self.ann))
            try tx.insert(
                Order(orderDate: Self.day, orderStatus: .sent, total: 100, remark: "soon", clientId: Self.bob)
            )
            try tx.insert(Order(orderDate: Self.day, total: 250, clientId: Self.bob))
        }
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Observation
import Synchronization
import Testing
import Tideline
import TidelineTestSupport

@testable import TidelineStore

/// Lists as a view sees them.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct ObservedListTests {
    private let shop: ShopStore
    private var store: LocalStore { shop.store }

    init() throws { shop = try ShopStore() }

    /// Waits until a list has had so many batches, as a view waits: by observing.
    private func batches<Element>(_ list: ObservedList<Element>, _ count: Int) async {
        while list.revision < count, list.error == nil {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = list.revision
                    _ = list.error
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }

    @Test func `a list shows its sections, and a change is seen by who looked at it`() async throws {
        let list = ObservedList(store, Order.all.sorted { $0.total }, sectionedBy: { $0.orderStatus })
        #expect(list.count == 0)
        #expect(list[0, 0] == nil)
        await batches(list, 1)
        #expect(list.sections.map(\.name) == ["0", "2"])
        #expect(list.sections.map(\.count) == [2, 1])
        #expect(list[0, 0]?.total == 12.50)
        #expect(list[0, 1]?.total == 250)
        #expect(list[1, 0]?.remark == "soon")
        #expect(list[1, 1] == nil)
        let changed = Mutex(0)
        withObservationTracking {
            _ = list[1, 0]
        } onChange: {
            changed.withLock { $0 += 1 }
        }
        var order = try #require(list[1, 0])
        order.remark = "later"
        try await store.write { [order] in _ = try $0.update(order) }
        await batches(list, 2)
        #expect(changed.withLock { $0 } == 1)
        #expect(list.batch?.changes.count == 1)
        #expect(list[1, 0]?.remark == "later")
        #expect(list[list.sections[1].keys[0]] == list[1, 0])
    }

    @Test func `an equal batch after another is seen too`() async throws {
        let list = ObservedList(store, Client.all.sorted { $0.clientName })
        await batches(list, 1)
        for (turn, phone) in ["1", "2"].enumerated() {
            let before = list.mirror
            var ann = try #require(list[0, 0])
            ann.contactPhone = phone
            try await store.write { [ann] in _ = try $0.update(ann) }
            await batches(list, turn + 2)
            #expect(list.mirror == before)
            #expect(list[0, 0]?.contactPhone == phone)
        }
    }

    @Test(.covers("MD-I10"))
    func `the details follow the key of what is selected`() async throws {
        let details = ObservedList(store, Order.where { $0.clientId == ShopStore.ann }.sorted { $0.total })
        await batches(details, 1)
        #expect((0..<details.count).map { details[0, $0]?.total } == [12.50])
        details.show(Order.where { $0.clientId == ShopStore.bob }.sorted { $0.total })
        await batches(details, 2)
        #expect((0..<details.count).map { details[0, $0]?.total } == [100, 250])
        #expect(details.batch?.isFirst == true)
        // What the one before would have told is not told any more.
        try await store.write { _ = try $0.insert(Order(orderDate: ShopStore.day, total: 1, clientId: ShopStore.ann)) }
        try await store.write { _ = try $0.insert(Order(orderDate: ShopStore.day, total: 5, clientId: ShopStore.bob)) }
        await batches(details, 3)
        #expect((0..<details.count).map { details[0, $0]?.total } == [5, 100, 250])
    }

    @Test(.covers("MD-I96"))
    func `a list goes when nobody holds it, and the store hears of it`() async throws {
        weak var freed: ObservedList<Client>?
        do {
            let list = ObservedList(store, Client.all)
            freed = list
            await batches(list, 1)
            #expect(list.count == 2)
            #expect(store.broadcaster.count == 1)
        }
        #expect(freed == nil)
        // The task that followed the store ends, and lets go of what it held.
        while store.broadcaster.count > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(store.broadcaster.count == 0)
    }

    @Test(.covers("MD-I97"))
    func `fifty thousand changes refresh a list at least a hundred times less often`() async throws {
        let list = ObservedList(store, Part.all)
        await batches(list, 1)
        let writer = Task.detached { [store] in
            for load in 0..<50 {
                try await store.write { transaction in
                    try transaction.insert(
                        contentsOf: (0..<1_000).map { Part(code: "\(load * 1_000 + $0)", label: "\(load).\($0)") }
                    )
                }
            }
        }
        try await writer.value
        while list.count < 50_000 { await batches(list, list.revision + 1) }
        #expect(list.count == 50_000)
        #expect(list.revision - 1 <= 500)
    }

    @Test func `a query that the model refuses is told`() async {
        let list = ObservedList(store, Stranger.all)
        await batches(list, 1)
        #expect((list.error as? LocalStoreError)?.code == .unknownSet)
        #expect(list.count == 0)
    }
}

@Entity("Strangers")
private struct Stranger {
    @Key var id: Int32
}

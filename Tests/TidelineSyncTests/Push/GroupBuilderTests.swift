// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineStore
import TidelineTestSupport

@testable import TidelineSync

struct GroupBuilderTests {
    @Test(.covers("DA-06")) func `a property that is not tracked or stays on the device is not sent`() throws {
        let folder = NSTemporaryDirectory() + "tideline-group-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var properties = ["Code", "Title", "Mark", "Note"].map {
            Property(names: Names(wire: $0), type: .string, isNullable: $0 != "Code")
        }
        properties[2].isTracked = false
        properties[3].isLocalOnly = true
        let type = EntityType(names: Names(wire: "Tag"), properties: properties, key: [0])
        let store = try LocalStore.create(
            path: folder + "/a.tideline",
            model: EntityModel(namespace: "Test", sets: [EntitySet(names: Names(wire: "Tags"), type: type)])
        )
        let values: [String: Value] = [
            "Code": .string("a"), "Title": .string("One"), "Mark": .string("here"), "Note": .string("mine"),
        ]
        try store.write { tx in _ = try tx.insert(values, into: "Tags") }
        let pending = try store.pendingTransactions()
        #expect(pending.count == 1)
        let builder = GroupBuilder(model: store.model, client: { _ in GUID(high: 1, low: 1) }, firstSent: "")
        let group = try builder.group(try #require(pending.first), pending: [:])
        let text = String(decoding: group.bytes, as: UTF8.self)
        #expect(text.contains(#""body":{"Code":"a","Title":"One"}"#))
        #expect(!text.contains("Mark"))
        #expect(!text.contains("Note"))
        try store.close()
    }
}

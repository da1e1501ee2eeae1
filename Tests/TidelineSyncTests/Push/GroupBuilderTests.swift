// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineStore
import TidelineTestSupport

@testable import TidelineSync

struct GroupBuilderTests {
    /// A store of tags, in a folder that is removed after the test.
    ///
    /// - Parameter more: properties that a tag has besides.
    private func inStore(with more: [Property] = [], _ body: (LocalStore, GroupBuilder) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "tideline-group-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var properties = ["Code", "Title", "Mark", "Note"].map {
            Property(names: Names(wire: $0), type: .string, isNullable: $0 != "Code")
        }
        properties[2].isTracked = false
        properties[3].isLocalOnly = true
        properties += more
        let type = EntityType(names: Names(wire: "Tag"), properties: properties, key: [0])
        let store = try LocalStore.create(
            path: folder + "/a.tideline",
            model: EntityModel(namespace: "Test", sets: [EntitySet(names: Names(wire: "Tags"), type: type)])
        )
        try body(
            store,
            GroupBuilder(model: store.model, client: { _ in GUID(high: 1, low: 1) }, firstSent: "")
        )
        try store.close()
    }

    @Test(.covers("DA-06")) func `a property that is not tracked or stays on the device is not sent`() throws {
        let values: [String: Value] = [
            "Code": .string("a"), "Title": .string("One"), "Mark": .string("here"), "Note": .string("mine"),
        ]
        try inStore { store, builder in
            try store.write { tx in _ = try tx.insert(values, into: "Tags") }
            let pending = try store.pendingTransactions()
            #expect(pending.count == 1)
            let group = try builder.group(try #require(pending.first), pending: [:])
            let text = String(decoding: group.bytes, as: UTF8.self)
            #expect(text.contains(#""body":{"Code":"a","Title":"One"}"#))
            #expect(!text.contains("Mark"))
            #expect(!text.contains("Note"))
        }
    }

    @Test func `an insert leaves out what has no value and no default, and says null where there is a default`() throws
    {
        let more = [
            Property(names: Names(wire: "Size"), type: .int32),
            Property(names: Names(wire: "Color"), type: .string, defaultValue: .string("red")),
        ]
        try inStore(with: more) { store, builder in
            try store.write { tx in
                try tx.insert(["Code": .string("a")], into: "Tags")
                try tx.insert(["Code": .string("b"), "Title": .null, "Color": .null], into: "Tags")
                try tx.insert(["Code": .string("c"), "Size": .integer(0)], into: "Tags")
            }
            // To change a value to null is something to say. Two changes, for one alone would be joined into its insert.
            try store.write { tx in
                try tx.update(Key([.string("c")]), ["Size": .null], in: "Tags")
                try tx.update(Key([.string("a")]), ["Color": .null], in: "Tags")
            }
            let pending = try store.pendingTransactions()
            try #require(pending.map(\.number) == [1, 2])
            let first = String(decoding: try builder.group(pending[0], pending: [:]).bytes, as: UTF8.self)
            let bodies = first.split(separator: #""body":"#).dropFirst().map { String($0.prefix { $0 != "}" }) }
            #expect(
                bodies == [
                    #"{"Code":"a","Color":"red""#, #"{"Code":"b","Color":null"#, #"{"Code":"c","Size":0,"Color":"red""#,
                ]
            )
            let second = String(
                decoding: try builder.group(pending[1], pending: [1: pending[0]]).bytes,
                as: UTF8.self
            )
            #expect(second.contains(#""body":{"Size":null}"#))
            #expect(second.contains(#""body":{"Color":null}"#))
        }
    }

    @Test func `the first request names the groups of transactions that come before, each once`() throws {
        try inStore { store, builder in
            for code in ["a", "b"] {
                try store.write { tx in _ = try tx.insert(["Code": .string(code)], into: "Tags") }
            }
            try store.write { tx in
                try tx.update(Key([.string("a")]), ["Title": .string("One")], in: "Tags")
                try tx.insert(["Code": .string("c")], into: "Tags")
            }
            let pending = try store.pendingTransactions()
            try #require(pending.map(\.number) == [1, 2, 3])
            var last = pending[2]
            let before = Dictionary(uniqueKeysWithValues: pending.prefix(2).map { ($0.number, $0) })
            let names = { (transaction: PendingTransaction) in
                let text = String(decoding: try builder.group(transaction, pending: before).bytes, as: UTF8.self)
                return text.split(separator: #""dependsOn":"#).dropFirst().map { String($0.prefix { $0 != "]" }) }
            }
            #expect(try names(last) == [#"["t1""#])
            last.earlier = [2, 1]
            #expect(try names(last) == [#"["t1","t2""#])
        }
    }
}

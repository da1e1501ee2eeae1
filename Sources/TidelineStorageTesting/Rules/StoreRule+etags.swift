// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Versions of entities.
    static let etags: [StoreRule] = [
        StoreRule("an ETag is that of the whole entity, whichever columns and way it is read") { world throws in
            for set in world.store.model.sets {
                let name = set.names.wire
                let whole = try world.page(try world.plan(name)).recorder.etags
                let key = set.type.properties[set.type.key[0]].names.wire
                #expect(try world.page(try world.plan(name, columns: [key])).recorder.etags == whole, "\(name)")
                #expect(try world.pages(try world.plan(name, pageRows: 1)).count == whole.count)
                #expect(Set(whole).count == whole.count, "\(name)")
                #expect(!whole.contains(nil))
                let none = try world.page(try world.plan(name, includesETag: false)).recorder.etags
                #expect(none == whole.map { _ in nil })
            }
            let orders = try world.page(try world.plan("Orders")).recorder.etags
            #expect(try world.entity("Orders", .integer(3))?.etag == orders[2])
        },
        StoreRule("an ETag is the keyed hash of the typed values, equal on every store") { world throws in
            var hasher = ETagHasher(key: try world.backend.etagKey)
            for set in world.store.model.sets {
                let plan = try world.plan(set.names.wire)
                let found = try world.page(plan).recorder.etags
                let sink = HashingSink(hasher)
                _ = try world.store.read { try $0.read(plan, into: sink) }
                #expect(found == sink.etags, "\(set.names.wire)")
            }
            // By hand: the profile of k3 has a key and nothing else.
            hasher.begin()
            var key = "k3"
            key.withUTF8 { unsafe hasher.text(UnsafeRawBufferPointer($0), at: 0) }
            #expect(try world.entity("Profiles", .string("k3"))?.etag == hasher.finish())
        },
        StoreRule("each change of a value changes the ETag, and the old value brings it back") { world throws in
            let samples = try world.set("Samples")
            let first = try #require(try world.entity("Samples", .integer(1)))
            let second = try #require(try world.entity("Samples", .integer(2)))
            var seen: Set<ETag> = [first.etag, second.etag]
            for place in samples.type.properties.indices.dropFirst() {
                let name = samples.type.properties[place].names.wire
                for value in [second.values[place], .null] {
                    try world.update("Samples", [.integer(1)], name, value)
                    let changed = try #require(try world.entity("Samples", .integer(1)))
                    #expect(seen.insert(changed.etag).inserted, "\(name) \(World.text(value))")
                }
                try world.update("Samples", [.integer(1)], name, first.values[place])
                #expect(try world.entity("Samples", .integer(1))?.etag == first.etag, "\(name)")
            }
            #expect(try world.entity("Samples", .integer(2))?.etag == second.etag)
        },
    ]
}

/// Hashes what is pushed.
private final class HashingSink: RowSink {
    private var hasher: ETagHasher
    private var place = 0
    private(set) var etags: [ETag?] = []

    init(_ hasher: ETagHasher) { self.hasher = hasher }

    func beginRow() {
        hasher.begin()
        place = 0
    }
    func null() { place += 1 }
    func boolean(_ value: Bool) {
        hasher.boolean(value, at: place)
        place += 1
    }
    func integer(_ value: Int64) {
        hasher.integer(value, at: place)
        place += 1
    }
    func double(_ value: Double) {
        hasher.double(value, at: place)
        place += 1
    }
    func text(_ utf8: UnsafeRawBufferPointer) {
        unsafe hasher.text(utf8, at: place)
        place += 1
    }
    func binary(_ bytes: UnsafeRawBufferPointer) {
        unsafe hasher.binary(bytes, at: place)
        place += 1
    }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) { etags.append(hasher.finish()) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineMemory
import TidelineModel
import TidelinePostgres
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), .ownThread)
struct RandomWorldTests {
    // The seeds that SQLite is compared with too, so all three stores read the same.
    @Test(arguments: Seeds.chosen(or: 0..<40))
    func `PostgreSQL reads the bytes that the reference store reads, from a random model`(seed: UInt64) throws {
        let world = RandomWorld(seed: seed, usesForms: true)
        let reference = MemoryStore(model: world.model, etagKey: [UInt8](repeating: 0, count: 16))
        let store = try PostgresStore(
            conninfo: PostgresCluster.shared().makeDatabase(world.tables { Self.column($0, seed) }),
            model: world.model,
            options: .untracked
        )
        defer { store.close() }
        try world.fill(reference)
        try world.fill(store)
        try world.compare(store, with: reference)
    }

    /// Which of several types of PostgreSQL a type has, the seed decides for the whole model.
    private static func column(_ property: Property, _ seed: UInt64) -> String {
        func either(_ bit: UInt64, _ first: String, _ second: String) -> String {
            seed >> bit & 1 == 0 ? first : second
        }
        switch property.storage {
        case .decimalScaled, .unixSeconds, .unixMilliseconds: return "bigint"
        case .decimalText, .guidUpper, .sqlText, .booleanText: return either(0, "text", "varchar(80)")
        case .guidBlob: return "bytea"
        case .julianDay: return "double precision"
        default: break
        }
        switch property.type {
        case .boolean: return either(0, "boolean", "smallint")
        case .byte, .sbyte, .int16: return either(1, "smallint", "integer")
        case .int32: return either(1, "integer", "bigint")
        case .int64: return either(2, "bigint", "numeric(20)")
        case .double: return "double precision"
        case .single: return either(2, "real", "double precision")
        case .decimal: return either(3, "numeric(12,\(property.scale ?? 4))", "numeric")
        case .binary: return "bytea"
        case .guid: return either(4, "uuid", "text")
        case .date: return "date"
        case .dateTimeOffset: return either(3, "timestamptz(3)", "timestamp(3)")
        case .timeOfDay: return "time(3)"
        case .duration: return "interval"
        default: return either(4, "text", "text COLLATE \"de-x-icu\"")
        }
    }
}

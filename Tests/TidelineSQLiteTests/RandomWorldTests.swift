// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineMemory
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

struct RandomWorldTests {
    @Test(arguments: Seeds.chosen(or: 0..<40))
    func `SQLite reads the bytes that the reference store reads, from a random model`(seed: UInt64) throws {
        let world = RandomWorld(seed: seed, usesForms: true)
        let key = [UInt8](repeating: 0, count: 16)
        let reference = MemoryStore(model: world.model, etagKey: key)
        let scratch = try Scratch(world.tables(Self.column))
        let store = try SQLiteStore(path: scratch.path, model: world.model, options: .untracked)
        try world.fill(reference)
        try world.fill(store)
        try world.compare(store, with: reference)
        try store.close()
    }

    private static func column(_ property: Property) -> String {
        switch property.storage {
        case .decimalScaled, .unixSeconds, .unixMilliseconds: return "INTEGER"
        case .decimalText, .guidUpper, .sqlText, .booleanText: return "TEXT"
        case .guidBlob: return "BLOB"
        case .julianDay: return "REAL"
        default: break
        }
        switch property.type {
        case .boolean, .byte, .sbyte, .int16, .int32, .int64: return "INTEGER"
        case .double, .single: return "REAL"
        case .decimal: return "DECIMAL(12,4)"
        case .binary: return "BLOB"
        default: return "TEXT"
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineMemory
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

struct RandomWorldTests {
    /// `TIDELINE_SEEDS=500..<900` tries others.
    private static let seeds: Range<UInt64> = {
        let bounds = (ProcessInfo.processInfo.environment["TIDELINE_SEEDS"] ?? "").split(separator: "..<")
        guard bounds.count == 2, let first = UInt64(bounds[0]), let last = UInt64(bounds[1]), first < last else {
            return 0..<40
        }
        return first..<last
    }()

    @Test(arguments: seeds)
    func `SQLite reads the bytes that the reference store reads, from a random model`(seed: UInt64) throws {
        let world = RandomWorld(seed: seed, usesForms: true)
        let key = [UInt8](repeating: 0, count: 16)
        let reference = MemoryStore(model: world.model, etagKey: key)
        let scratch = try Scratch(Self.schema(world.model))
        let store = try SQLiteStore(path: scratch.path, model: world.model, options: .untracked)
        try world.fill(reference)
        try world.fill(store)
        try world.compare(store, with: reference)
        try store.close()
    }

    private static func schema(_ model: EntityModel) -> String {
        model.sets.map { set in
            let type = set.type
            var lines = type.properties.map {
                "\($0.names.database) \(column($0))\($0.isNullable ? "" : " NOT NULL")"
            }
            lines.append("PRIMARY KEY (\(names(type.key, type)))")
            for navigation in type.navigationProperties where navigation.isDependent {
                guard let target = model[set: navigation.targetSet] else { continue }
                let own = names(navigation.constraints.map(\.source), type)
                let other = names(navigation.constraints.map(\.target), target.type)
                lines.append("FOREIGN KEY (\(own)) REFERENCES \(target.names.database)(\(other))")
            }
            return "CREATE TABLE \(set.names.database)(\(lines.joined(separator: ", ")));"
        }.joined(separator: "\n")
    }

    private static func names(_ places: [Int], _ type: EntityType) -> String {
        places.map { type.properties[$0].names.database }.joined(separator: ", ")
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

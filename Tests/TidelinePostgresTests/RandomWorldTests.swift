// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineMemory
import TidelineModel
import TidelinePostgres
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct RandomWorldTests {
    /// The seeds that SQLite is compared with too, so all three stores read the same.
    ///
    /// `TIDELINE_SEEDS=500..<900` tries others.
    private static let seeds: Range<UInt64> = {
        let bounds = (ProcessInfo.processInfo.environment["TIDELINE_SEEDS"] ?? "").split(separator: "..<")
        guard bounds.count == 2, let first = UInt64(bounds[0]), let last = UInt64(bounds[1]), first < last else {
            return 0..<40
        }
        return first..<last
    }()

    @Test(arguments: seeds)
    func `PostgreSQL reads the bytes that the reference store reads, from a random model`(seed: UInt64) throws {
        let world = RandomWorld(seed: seed, usesForms: true)
        let reference = MemoryStore(model: world.model, etagKey: [UInt8](repeating: 0, count: 16))
        let store = try PostgresStore(
            conninfo: PostgresCluster.shared().makeDatabase(Self.schema(world.model, seed: seed)),
            model: world.model,
            options: .untracked
        )
        defer { store.close() }
        try world.fill(reference)
        try world.fill(store)
        try world.compare(store, with: reference)
    }

    /// The tables; which of several types of PostgreSQL a type has, the seed decides for the whole model.
    private static func schema(_ model: EntityModel, seed: UInt64) -> String {
        model.sets.map { set in
            let type = set.type
            var lines = type.properties.map {
                "\($0.names.database) \(column($0, seed))\($0.isNullable ? "" : " NOT NULL")"
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

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Tideline

/// The entity of T7 and T8, for both libraries.
@Entity("People")
struct Person: Codable, FetchableRecord, PersistableRecord {
    static var databaseTableName: String { "People" }

    @Key var id: Int64
    var name: String
    var score: Double
    var city: String?

    static func make(_ number: Int) -> Person {
        Person(
            id: Int64(number),
            name: "Person \(number)",
            score: Double(number) / 4,
            city: number % 3 == 0 ? nil : "Town"
        )
    }

    static let table =
        "CREATE TABLE People (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, score REAL NOT NULL, city TEXT)"
    static let insert = "INSERT INTO People (id, name, score, city) VALUES (?, ?, ?, ?)"
}

/// T7: tracked inserts beside GRDB, in bulk and each in a transaction of its own.
enum TypedInsert {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let people = (1...rows).map(Person.make)
        let ours = try LocalStore.create(
            path: folder.appending(path: "ours.tideline").path,
            model: EntityModel(Person.self)
        )
        let prepared = try grdb(folder, "prepared")
        let codable = try grdb(folder, "codable")
        let bulk = try Measuring.seconds { try ours.write { tx in try tx.insert(contentsOf: people) } }
        let bulkPrepared = try Measuring.seconds {
            try prepared.write { connection in
                let statement = try connection.makeStatement(sql: Person.insert)
                for person in people {
                    try statement.execute(arguments: [person.id, person.name, person.score, person.city])
                }
            }
        }
        let bulkCodable = try Measuring.seconds {
            try codable.write { connection in for person in people { try person.insert(connection) } }
        }
        func figure(_ what: String, _ count: Int, _ seconds: Double, _ peer: String, _ limit: Double, _ bound: Double)
            -> Figure
        {
            Figure(
                what: what,
                rows: count,
                seconds: seconds,
                limitName: peer,
                limitSeconds: limit,
                isRate: false,
                bound: bound
            )
        }
        var figures = [
            figure("bulk", rows, bulk, "GRDB prepared", bulkPrepared, 1.4),
            figure("bulk", rows, bulk, "GRDB Codable", bulkCodable, 1),
        ]
        // What the bulk left in the write-ahead log is not what a single insert costs.
        for name in ["ours.tideline", "prepared.sqlite"] { try checkpoint(folder.appending(path: name)) }
        let count = min(rows / 10, 5000)
        let more = (1...count).map { Person.make(rows + $0) }
        let single = try Measuring.seconds { for person in more { try ours.write { tx in try tx.insert(person) } } }
        let singlePrepared = try Measuring.seconds {
            for person in more {
                try prepared.write { connection in
                    try connection.cachedStatement(sql: Person.insert)
                        .execute(arguments: [person.id, person.name, person.score, person.city])
                }
            }
        }
        figures.append(figure("one a transaction", count, single, "GRDB prepared", singlePrepared, 1.4))
        return figures
    }

    private static func checkpoint(_ file: URL) throws {
        try DatabaseQueue(path: file.path).inDatabase { _ = try $0.checkpoint(.truncate) }
    }

    static func grdb(_ folder: URL, _ name: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: folder.appending(path: "\(name).sqlite").path)
        try pool.write { try $0.execute(sql: Person.table) }
        return pool
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Tideline

/// T8: all entities of a set, beside GRDB by hand and by Codable.
enum TypedFetch {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let people = (1...rows).map(Person.make)
        let ours = try LocalStore.create(
            path: folder.appending(path: "ours.tideline").path,
            model: EntityModel(Person.self)
        )
        try await ours.write { tx in try tx.insert(contentsOf: people) }
        let theirs = try TypedInsert.grdb(folder, "theirs")
        try await theirs.write { connection in for person in people { try person.insert(connection) } }

        var counts = [0, 0, 0]
        let byHand = try Measuring.seconds {
            counts[0] = try theirs.read { connection in
                let cursor = try Row.fetchCursor(connection, sql: "SELECT id, name, score, city FROM People")
                var people: [Person] = []
                while let row = try cursor.next() {
                    people.append(Person(id: row[0], name: row[1], score: row[2], city: row[3]))
                }
                return people.count
            }
        }
        let codable = try Measuring.seconds { counts[1] = try theirs.read { try Person.fetchAll($0).count } }
        let typed = try Measuring.seconds { counts[2] = try ours.fetch(Person.all).count }
        guard Set(counts) == [rows] else { throw WholeSet.Failed(status: counts[2]) }
        return [
            Figure(
                what: "fetch",
                rows: rows,
                seconds: typed,
                limitName: "GRDB by hand",
                limitSeconds: byHand,
                isRate: false,
                bound: 1.2
            ),
            Figure(
                what: "fetch",
                rows: rows,
                seconds: typed,
                limitName: "GRDB Codable",
                limitSeconds: codable,
                isRate: true,
                bound: 2.5
            ),
        ]
    }
}

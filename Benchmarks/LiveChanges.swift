// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Tideline

/// T9: a change in a set, and the batch of a live list of its first fifty rows that tells it, one after the other.
///
/// GRDB's observation delivers the fifty rows and no difference. The columns of both orders are keys, so that GRDB's
/// reads are as short as ours.
enum LiveChanges {
    private static let limit = 50

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let count = 5_000
        let people = (1...rows).map(Person.make)
        let ours = try LocalStore.create(
            path: folder.appending(path: "ours.tideline").path,
            model: EntityModel(Person.self)
        )
        try await ours.write { tx in try tx.insert(contentsOf: people) }
        let theirs = try TypedInsert.grdb(folder, "theirs")
        try await theirs.write { connection in for person in people { try person.insert(connection) } }

        let list = try await listed(ours, Person.all.sorted { $0.id }.limit(limit), count, round: 1)
        // No index serves this order: a list that read its rows again would sort them all each time.
        let unindexed = try await listed(ours, Person.all.sorted { $0.score }.limit(limit), count, round: 2)
        let observation = try await observed(theirs, count)
        func figure(_ what: String, _ seconds: Double, _ peer: String, _ limit: Double) -> Figure {
            Figure(
                what: what,
                rows: count,
                seconds: seconds,
                limitName: peer,
                limitSeconds: limit,
                isRate: true,
                bound: 1
            )
        }
        return [
            figure("change to batch, in \(rows) rows", list, "5,000 a second", Double(count) / 5_000),
            figure("change to batch, in \(rows) rows", list, "GRDB ValueObservation", observation),
            figure("change to batch, order without index", unindexed, "5,000 a second", Double(count) / 5_000),
        ]
    }

    /// The person that a change is made in, each with another name than before.
    private static func changed(_ turn: Int) -> Person {
        var person = Person.make(turn % limit + 1)
        person.name = "Person \(turn)"
        return person
    }

    private static func listed(_ store: LocalStore, _ query: Tideline.Query<Person>, _ count: Int, round: Int)
        async throws
        -> Double
    {
        let list = try LiveList(store, query)
        var changes = list.changes.makeAsyncIterator()
        guard try await changes.next()?.changes.count == limit + 1 else { throw WholeSet.Failed(status: 0) }
        let start = ContinuousClock.now
        for turn in 0..<count {
            let person = changed(round * count + turn)
            try await store.write { tx in _ = try tx.update(person) }
            guard let batch = try await changes.next(), batch.changes.count == 1 else {
                throw WholeSet.Failed(status: turn)
            }
        }
        return Measuring.seconds(since: start)
    }

    private static func observed(_ pool: DatabasePool, _ count: Int) async throws -> Double {
        let observation = ValueObservation.tracking { try Person.order(Column("id")).limit(limit).fetchAll($0) }
        var values = observation.values(in: pool).makeAsyncIterator()
        guard try await values.next()?.count == limit else { throw WholeSet.Failed(status: 0) }
        let start = ContinuousClock.now
        for turn in 0..<count {
            let person = changed(turn)
            try await pool.write { try person.update($0) }
            guard try await values.next()?.count == limit else { throw WholeSet.Failed(status: turn) }
        }
        return Measuring.seconds(since: start)
    }
}

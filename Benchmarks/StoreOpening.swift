// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Tideline

/// T13: opening a store with its model, with 100 transactions that wait, up to its first entity.
enum StoreOpening {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let model = EntityModel(Person.self)
        let path = folder.appending(path: "ours.tideline").path
        let seed = folder.appending(path: "seed.tideline").path
        // Rows that are no changes: as many as a first sync brings.
        let maker = try LocalStore.temporary(model: model)
        try await maker.write { tx in try tx.insert(contentsOf: (1...rows).map(Person.make)) }
        try maker.exportSeed(to: seed)
        try maker.close()
        let store = try LocalStore.open(path: path, model: model, seed: seed)
        for number in 1...100 {
            try await store.write { tx in try tx.insert(Person.make(rows + number)) }
        }
        try store.close()

        var ours: [Double] = []
        var theirs: [Double] = []
        for _ in 0..<5 {
            var found = 0
            var opened: LocalStore?
            ours.append(
                try Measuring.seconds {
                    let store = try LocalStore.open(path: path, model: model)
                    found = try store.fetch(Person.all.limit(1)).count
                    opened = store
                }
            )
            guard try opened?.status().pendingTransactions == 100 else { throw WholeSet.Failed(status: found) }
            try opened?.close()
            theirs.append(
                try Measuring.seconds {
                    let pool = try DatabasePool(path: path)
                    found += try pool.read { try Row.fetchAll($0, sql: "SELECT * FROM People LIMIT 1").count }
                    try pool.close()
                }
            )
            guard found == 2 else { throw WholeSet.Failed(status: found) }
        }
        let time = ours.sorted()[2] * 1000
        func figure(_ name: String, _ limit: Double, bound: Double) -> Figure {
            Figure(
                what: "open",
                rows: rows,
                seconds: time,
                limitName: name,
                limitSeconds: limit,
                unit: "ms",
                isRate: false,
                bound: bound
            )
        }
        return [figure("limit", 30, bound: 1), figure("GRDB pool", theirs.sorted()[2] * 1000, bound: 10)]
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineSimulator

/// A small database on a simulated disk: each transaction writes one row into each of two tables.
struct PairWork {
    var journal = "WAL"
    var synchronous = "FULL"
    /// After which transactions the log goes into the database.
    var checkpoints: Set<Int> = [2, 3]
    var transactions = 4

    /// What the disk's folder held after a failure.
    struct Found: Equatable {
        var pairs: Int
        var isWhole: Bool
        var isEven: Bool
    }

    /// Runs until something fails.
    ///
    /// - Returns: how many transactions were acknowledged, and what failed.
    func run(on disk: SimulatedDisk) -> (acknowledged: Int, error: DatabaseError?) {
        var acknowledged = 0
        do {
            let queue = try open(disk)
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = \(journal); PRAGMA synchronous = \(synchronous)")
                try makeTables(database)
                for number in 1...transactions {
                    try write(number, database)
                    acknowledged = number
                    if checkpoints.contains(number) { try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
                }
            }
            try queue.close()
        } catch let error as DatabaseError {
            return (acknowledged, error)
        } catch {
            return (acknowledged, DatabaseError(message: "\(error)"))
        }
        return (acknowledged, nil)
    }

    func makeTables(_ database: Database) throws {
        try transaction(
            "CREATE TABLE IF NOT EXISTS A (N INTEGER, T TEXT); CREATE TABLE IF NOT EXISTS B (N INTEGER, T TEXT)",
            database
        )
    }

    func write(_ number: Int, _ database: Database) throws {
        let text = String(repeating: "x", count: 3000)
        try transaction(
            "INSERT INTO A VALUES (\(number), '\(text)'); INSERT INTO B VALUES (\(number), '\(text)')",
            database
        )
    }

    private func transaction(_ sql: String, _ database: Database) throws {
        do { try database.execute(sql: "BEGIN IMMEDIATE; \(sql); COMMIT") } catch {
            if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
            throw error
        }
    }

    func open(_ disk: SimulatedDisk) throws -> DatabaseQueue {
        try DatabaseQueue(path: disk.folder + "/pairs.sqlite")
    }

    /// What is in the folder now.
    func look(at disk: SimulatedDisk) throws -> Found {
        let queue = try open(disk)
        let found = try queue.read { database in
            let check = try String.fetchAll(database, sql: "PRAGMA integrity_check")
            guard try database.tableExists("B") else { return Found(pairs: 0, isWhole: check == ["ok"], isEven: true) }
            let first = try Int.fetchAll(database, sql: "SELECT N FROM A ORDER BY N")
            let second = try Int.fetchAll(database, sql: "SELECT N FROM B ORDER BY N")
            return Found(
                pairs: first.count,
                isWhole: check == ["ok"],
                isEven: first == second && first == Array(1..<(first.count + 1))
            )
        }
        try queue.close()
        return found
    }

    /// What is wrong after a crash at each operation, in each way; empty when nothing is.
    ///
    /// - Parameter isDurable: whether what was acknowledged has to be there.
    func crashed(_ keepings: [DiskKeeping], isDurable: Bool, ignoresSyncs: Bool = false) throws -> [String] {
        let counted = try SimulatedDisk()
        guard case (transactions, nil) = run(on: counted) else { return ["It does not run without a fault."] }
        var wrong: [String] = []
        for index in counted.operations.indices {
            for keeping in keepings {
                let disk = try SimulatedDisk()
                disk.ignoreSyncs(ignoresSyncs)
                disk.plan(.crash(keeping), at: index + 1)
                let (acknowledged, _) = run(on: disk)
                let point = "\(keeping) before \(index + 1), \(counted.operations[index]), \(acknowledged) acknowledged"
                guard disk.isCrashed else {
                    wrong.append("no crash: \(point)")
                    continue
                }
                try disk.restart()
                let found = try? look(at: disk)
                guard let found, found.isWhole, found.isEven, found.pairs <= acknowledged + 1 else {
                    wrong.append("\(String(describing: found)): \(point)")
                    continue
                }
                if isDurable, found.pairs < acknowledged { wrong.append("\(found.pairs) pairs: \(point)") }
            }
        }
        return wrong
    }
}

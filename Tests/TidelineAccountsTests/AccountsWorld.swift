// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TidelineAccounts
import TidelineSQLite

/// Accounts over a store of their own, with a clock that the test moves and random bytes that repeat.
final class AccountsWorld: Sendable {
    let accounts: Accounts
    let folder: String
    private let time: Time

    final class Time: Sendable {
        let now = Mutex<Int64>(1_800_000_000)
        let counter = Mutex<UInt64>(0)
    }

    init() throws {
        folder = NSTemporaryDirectory() + "/tideline-accounts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let time = Time()
        self.time = time
        accounts = try Self.open(folder, time, cost: Self.cheap)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A cost that no test waits for.
    static let cheap = PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)

    /// Another process on the same store.
    func anotherProcess(cost: PasswordCost = AccountsWorld.cheap) throws -> Accounts {
        try Self.open(folder, time, cost: cost)
    }

    /// Lets time pass.
    func pass(seconds: Int64) { time.now.withLock { $0 += seconds } }

    private static func open(_ folder: String, _ time: Time, cost: PasswordCost) throws -> Accounts {
        let path = folder + "/control.sqlite"
        try SQLiteSchema.create(ControlModel.model, path: path)
        return Accounts(
            store: try SQLiteStore(path: path, model: ControlModel.model, options: .untracked),
            environment: AccountsEnvironment(
                now: { time.now.withLock { $0 } },
                random: { count in
                    time.counter.withLock { counter in
                        (0..<count).map { _ in
                            counter = counter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                            return UInt8(counter >> 56)
                        }
                    }
                }
            ),
            cost: cost
        )
    }
}

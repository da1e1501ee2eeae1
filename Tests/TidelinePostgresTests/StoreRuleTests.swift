// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorageTesting
import TidelineTestSupport

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), .ownThread)
struct StoreRuleTests {
    /// What is compacted hangs on every transaction that the server runs just then.
    private static let alone = StoreRule.all.filter { $0.sentence.hasPrefix("compaction") }

    @Test(arguments: StoreRule.all.filter { !$0.sentence.hasPrefix("compaction") })
    func `PostgreSQL keeps the rules of every store`(rule: StoreRule) throws {
        try rule.check(PostgresUnderTest.self)
    }

    @Test(arguments: alone)
    func `on a server of its own PostgreSQL keeps the rules of compaction`(rule: StoreRule) throws {
        try PostgresUnderTest.$cluster.withValue(PostgresCluster()) { try rule.check(PostgresUnderTest.self) }
    }
}

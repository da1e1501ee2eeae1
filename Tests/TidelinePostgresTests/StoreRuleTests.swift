// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorageTesting
import TidelineTestSupport

struct StoreRuleTests {
    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), arguments: StoreRule.all)
    func `PostgreSQL keeps the rules of every store`(rule: StoreRule) throws {
        try rule.check(PostgresUnderTest.self)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorageTesting
import TidelineTestSupport

@Suite(.ownThread)
struct StoreRuleTests {
    @Test(arguments: StoreRule.all)
    func `SQLite keeps the rules of every store`(rule: StoreRule) throws {
        try rule.check(SQLiteUnderTest.self)
    }
}

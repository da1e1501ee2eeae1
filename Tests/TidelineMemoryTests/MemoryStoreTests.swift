// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorageTesting

struct MemoryStoreTests {
    @Test(arguments: StoreRule.all)
    func `the reference store keeps the rules of every store`(rule: StoreRule) throws {
        try rule.check(MemoryUnderTest.self)
    }
}

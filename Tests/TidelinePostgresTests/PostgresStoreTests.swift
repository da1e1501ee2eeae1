// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelinePostgres

struct PostgresStoreTests {
    @Test func `libpq is linked`() {
        #expect(PostgresStore.libraryVersion >= 10_0000)
    }
}

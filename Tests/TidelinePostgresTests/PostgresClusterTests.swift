// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineTestSupport

struct PostgresClusterTests {
    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
    func `a private cluster makes databases`() throws {
        let cluster = try PostgresCluster.shared()
        let conninfo = try cluster.makeDatabase("CREATE TABLE a (b int); INSERT INTO a VALUES (1), (2)")
        #expect(try cluster.run("SELECT sum(b) FROM a", database: cluster.name(of: conninfo)) == "3\n")
    }
}

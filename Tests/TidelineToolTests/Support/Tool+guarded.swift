// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

extension Tool {
    /// Publishes a database of one empty table, which every user may read, and nobody who did not sign in.
    func publishGuarded(_ domain: String, in folder: TemporaryFolder, data: String) throws {
        let database = Database(path: folder.file("\(domain).sqlite"))
        try database.execute("CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let policies = folder.file("policies.yaml")
        try Data(#"policies: [{role: "*", sets: "*", operations: [read]}]"#.utf8).write(to: URL(filePath: policies))
        try succeed("publish", database.path, "--data", data, "--domain", domain, "--policies", policies)
    }
}

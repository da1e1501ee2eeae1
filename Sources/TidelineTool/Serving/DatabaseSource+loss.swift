// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineServer
import TidelineService

extension DatabaseSource {
    /// What to do where the file of a domain's database is gone; `nil` where it is there, and for PostgreSQL.
    static func adviceForLoss(of published: Domain, in data: DataOption) -> String? {
        let folder = data.directory.folder(domain: published.name)
        guard case .sqlite(let path) = DatabaseSource(published.database, folder: folder), !FilePath.exists(path) else {
            return nil
        }
        return "Put it back, or where it is lost, a backup: "
            + "tideline restore \(published.name) BACKUP --data \(ShellWord.quoted(data.path))"
    }
}

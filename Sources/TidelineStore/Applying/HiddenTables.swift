// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Which sets have a hidden table, of a load or of staged changes, by one look at the schema.
struct HiddenTables {
    private let names: Set<String>

    init(_ connection: Connection) throws {
        names = Set(
            try connection.query(
                """
                SELECT name FROM main.sqlite_schema
                WHERE type = 'table' AND (name GLOB 'tideline_load_*' OR name GLOB 'tideline_stage_*')
                """
            ) { $0.string(0) ?? "" }
        )
    }

    func hasLoad(of set: SetLayout) -> Bool { names.contains("tideline_load_" + set.name) }

    func hasStage(of set: SetLayout) -> Bool { names.contains("tideline_stage_" + set.name) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// The versions of a domain's model, each made from the one before as its owner would.
enum ModelVersion: Int, CaseIterable, Comparable {
    case first, columnAdded, setAdded, propertyRenamed, columnWidened

    /// The database at the beginning: its table of tags is captured, and becomes a set later.
    static let database = first.tables + tags + rows

    private static let rows =
        (1...20).map { "INSERT INTO \"Notes\" VALUES (\($0), 't\($0)', 'o\($0)', 1);" }.joined()

    static func < (one: ModelVersion, other: ModelVersion) -> Bool { one.rawValue < other.rawValue }

    /// The name of the property whose column is `Old` in all versions.
    var renamed: String { self < .propertyRenamed ? "Old" : "Title" }

    var tables: String {
        let more = self < .columnAdded ? "" : #", "More" varchar(80) DEFAULT 'd'"#
        return notes("Notes", more) + (self < .setAdded ? "" : Self.tags)
    }

    private static let tags = #"CREATE TABLE "Tags" ("Id" int NOT NULL PRIMARY KEY, "Label" varchar(80));"#

    private func notes(_ name: String, _ more: String) -> String {
        let columns =
            self < .columnWidened
            ? #""Text" varchar(20), "Old" varchar(80), "Amount" smallint NOT NULL DEFAULT 0"#
            : #""Text" varchar(80), "Old" varchar(80), "Amount" int DEFAULT 0"#
        return "CREATE TABLE \"\(name)\" (\"Id\" int NOT NULL PRIMARY KEY, \(columns)\(more));"
    }

    /// Changes the tables of the version before, and serves the model of this one.
    func take(_ domain: ChangingDomain) throws {
        switch self {
        case .first, .setAdded, .propertyRenamed: break
        case .columnAdded: try domain.run(#"ALTER TABLE "Notes" ADD COLUMN "More" varchar(80) DEFAULT 'd'"#)
        case .columnWidened: try widen(domain)
        }
        try serve(domain)
    }

    func serve(_ domain: ChangingDomain) throws {
        try domain.serve(tables) { sets in
            guard self >= .propertyRenamed else { return }
            for set in sets.indices {
                for place in sets[set].type.properties.indices
                where sets[set].type.properties[place].names.database == "Old" {
                    sets[set].type.properties[place].names = Names(wire: "Title", database: "Old")
                }
            }
        }
    }

    /// SQLite changes no column: the table is made anew, as its manual says.
    private func widen(_ domain: ChangingDomain) throws {
        switch domain.kind {
        case .sqlite:
            try domain.run(
                notes("Next", #", "More" varchar(80) DEFAULT 'd'"#)
                    + #"INSERT INTO "Next" SELECT * FROM "Notes"; DROP TABLE "Notes";"#
                    + #"ALTER TABLE "Next" RENAME TO "Notes""#
            )
        case .postgres:
            try domain.run(
                #"ALTER TABLE "Notes" ALTER COLUMN "Text" TYPE varchar(80), ALTER COLUMN "Amount" TYPE int,"#
                    + #" ALTER COLUMN "Amount" DROP NOT NULL"#
            )
        }
    }

    /// What leads an app's file of this version to the newest one.
    var migrations: [StoreMigration] {
        self < .propertyRenamed ? [StoreMigration(to: 2, [.renameProperty("Old", of: "Notes", to: "Title")])] : []
    }
}

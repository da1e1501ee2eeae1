// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineServer
import TidelineService
import TidelineSQLite
import TidelineStorage

/// `tideline restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of a domain's database, also while it is served.",
        discussion: """
            tideline restore shop shop-monday.sqlite --data ./data

            What was committed after the backup is gone from the database. It is kept
            first, in a file beside the database that the command names. Where there is
            no database any more, or what lies there is damaged or none, the command
            says so and goes on: nobody knows then which keys were given since the
            backup, so a million keys of each table are given to no row.

            Every device is told at its next sync, loads its data anew and keeps what it
            has not sent; that is sent then. What a device had sent after the backup is
            gone from it too, as from the server.

            A PostgreSQL database is restored by pg_restore: the command tells how, and
            how no key is given a second time. The server notices it by itself.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The file that tideline backup wrote.") var file: String
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        let published = try ServerStores.domain(domain, in: directory)
        guard FilePath.exists(file) else { throw CommandFailure("There is no file \(file).", next: Self.adviceForFile) }
        let path: String
        switch DatabaseSource(published.database, folder: directory.folder(domain: domain)) {
        case .sqlite(let found): path = found
        case .postgres(let address):
            throw CommandFailure(
                "A PostgreSQL database is restored by its own tools.",
                next: """
                    Stop the server, and run these one after the other, each once; go on only where one succeeds:

                    \(PostgresDump.restoring(file, to: address).map { "    " + $0 }.joined(separator: "\n"))

                    The first keeps where the sequences stand: skip it and the last where the database is lost already,
                    and set them beyond the keys that devices may know. The server notices the restored database, and
                    every device loads its data anew and keeps what it has not sent.
                    """
            )
        }
        guard !FilePath.isSame(file, path) else { throw CommandFailure("\(file) is the database itself.") }
        let kept = DatabaseFiles.free(DatabaseFiles.resolved(path) + ".before-restore")
        let replaced: ReplacedDatabase
        do {
            replaced = try SQLiteBackup.restore(file, into: path, model: published.model, keeping: kept)
        } catch let error as StorageError where error.code == .schemaChanged {
            throw CommandFailure(
                "\(domain) was not restored; its database is as it was.",
                why: error.message,
                next: error.properties.isEmpty ? Self.adviceForTables : Self.adviceForColumns
            )
        } catch let error as StorageError where error.code == .unsupported {
            throw CommandFailure(
                "\(domain) was not restored; its database is as it was.",
                why: error.message,
                next: Self.adviceForFile
            )
        } catch {
            throw CommandFailure.wrap("\(domain) was not restored; its database is as it was.", error)
        }
        let files = DatabaseFiles.present(at: kept)
        let found = Self.found(replaced, at: path, files)
        do {
            // A server that runs opens the database afresh when the domain's file changes.
            let own = directory.file(domain: domain)
            try AtomicFile.write(try AtomicFile.read(own), to: own, permissions: FilePath.permissions(own))
        } catch {
            throw CommandFailure.wrap(
                "The database of \(domain) is that of \(file), but a server that runs was not told: the domain's file "
                    + "could not be written.",
                error,
                next:
                    "Start the server again where it runs, and do not restore again. \(found)"
            )
        }
        let warning = replaced == .published ? nil : "\(found)\n\(Self.unknownKeys)"
        Output(json: json).result(
            [
                ("domain", .text(domain)), ("file", .text(file)),
                ("kept", files.first.map(Output.Cell.text) ?? .null),
                ("warning", warning.map(Output.Cell.text) ?? .null),
            ],
            text: "The database of \(domain) is that of \(file). \(warning ?? found)\n"
                + "Devices load their data anew at their next sync and keep what they have not sent."
        )
    }

    /// What lay in the database's place, and where it is now.
    private static func found(_ replaced: ReplacedDatabase, at path: String, _ files: [String]) -> String {
        let kept = files.joined(separator: ", ")
        return switch replaced {
        case .published: "What was there before is in \(kept)."
        case .unpublished: "What was there before, in \(kept), is empty or not published."
        case .damaged: "What was there before is damaged; it is in \(kept) as it was."
        case .unreadable:
            "What was there before is no SQLite database, or only a part of one; it is in \(kept) as it was."
        case .missing where files.isEmpty: "There was no file \(path) any more, so nothing is kept of it."
        case .missing: "There was no file \(path) any more; what lay beside it is in \(kept)."
        }
    }

    private static let unknownKeys =
        "Nothing of it can be carried on: nobody knows which keys it gave after the backup. The server leaves out a million "
        + "of each table\nor more, and gives them to no row. What a device has not sent of a row that had one of them counts "
        + "as a change of a row that was deleted.\n"
        + "Where a later backup turns up, restore that one before people go on."

    private static let adviceForFile = "Name a file that tideline backup wrote of this domain."
    private static let adviceForColumns =
        "Where the backup is older than the column: make it in a copy of the backup, as it was made in the "
        + "database (ALTER TABLE … ADD COLUMN …),\nand restore the copy. Or leave it out of the domain first: "
        + "tideline publish … --skip TABLE.COLUMN"
    private static let adviceForTables =
        "Where the backup is older than the table: make it in a copy of the backup, as it was made in the "
        + "database (CREATE TABLE …),\nrestore the copy, and publish the domain again. Or leave it out of the domain first: "
        + "tideline publish … --skip TABLE"
}

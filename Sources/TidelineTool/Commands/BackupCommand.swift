// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineServer
import TidelineService
import TidelineSQLite
import TidelineStorage

/// `tideline backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a consistent copy of a domain's database while it is served.",
        discussion: """
            tideline backup shop shop-monday.sqlite --data ./data

            The copy is one moment of the database: what was committed before is in it, and
            nothing else. It holds the change log and what the server remembers of each
            device. The domain's file, its users and the files of its streams are no part
            of it: copy the data folder for these.

            A PostgreSQL database is written by pg_dump, in its custom format.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The file to write; it must not be there yet.") var file: String
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        let published = try ServerStores.domain(domain, in: directory)
        guard !FilePath.exists(file) else {
            throw CommandFailure("\(file) is there already.", next: "Name another file: a backup overwrites none.")
        }
        try FilePath.requireFolder(of: file)
        let source = DatabaseSource(published.database, folder: directory.folder(domain: domain))
        let target = file
        do {
            guard try source.isPublished() else { throw StorageError.notPublished }
            try await Interruption.cancelling {
                switch source {
                case .sqlite(let path): try SQLiteBackup.write(path, to: target, isCancelled: { Task.isCancelled })
                case .postgres(let address): try await PostgresDump.write(address, to: target)
                }
            }
        } catch {
            throw CommandFailure.wrap(
                "The backup of \(domain) was not written.",
                error,
                next: DatabaseSource.adviceForLoss(of: published, in: data)
            )
        }
        let size = FilePath.size(file)
        Output(json: json).result(
            [("domain", .text(domain)), ("file", .text(file)), ("bytes", .integer(size))],
            text: "\(file) holds the database of \(domain), \(PlainText.size(Int(size)))."
        )
    }
}

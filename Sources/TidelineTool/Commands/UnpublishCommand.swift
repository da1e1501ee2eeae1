// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts
import TidelineServer
import TidelineService
import TidelineStorage

/// `tideline unpublish`.
struct UnpublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpublish",
        abstract: "Take a domain away and leave no trace in its database.",
        discussion: """
            tideline unpublish shop --data ./data

            The data stays; devices that have a clone of it keep their clone. The domain's
            users are kept for the day when it is published again, unless --remove-users is
            given.

            The server forgets what devices have sent. Where the domain is published again,
            a change that one sent, or tried to, without an answer goes into its
            quarantine, for its user to decide about; so does what waits in a copy of a
            device's file since it was copied. What no sync has taken up is sent. Let
            devices sync before.

            Where the database is lost, or is that of another domain, too, the domain alone
            is taken away:
              tideline unpublish shop --data ./data --forget
            """
    )

    @Argument(help: "The domain.") var domain: String
    @OptionGroup var data: DataOption
    @Flag(name: .customLong("remove-users"), help: "Remove the domain's users too.") var removesUsers = false
    @Flag(
        name: .customLong("forget"),
        help: "Take the domain away and leave its database alone: that is lost, or another domain's, too."
    )
    var forgets = false
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        let published = try ServerStores.domain(domain, in: directory)
        let folder = directory.folder(domain: domain)
        let file = directory.file(domain: domain)
        let aside = file + ".removed"
        let source = DatabaseSource(published.database, folder: folder)
        let devices = Self.devices(of: domain, in: directory)
        if !forgets {
            try requireDatabase(source)
            try requireNoOther(source, in: directory)
        }
        do {
            do {
                if forgets {
                    try FilePath.rename(file, to: aside)
                } else {
                    try source.unpublish { try FilePath.rename(file, to: aside) }
                }
            } catch {
                if FilePath.exists(aside) { try? FilePath.rename(aside, to: file) }
                throw error
            }
            FilePath.remove(aside)
            FilePath.remove(folder)
            if removesUsers { try ServerStores.accounts(directory).removeUsers(of: domain) }
        } catch {
            let isLost = (error as? StorageError) == StorageError.notPublished
            throw CommandFailure.wrap("The domain was not unpublished.", error, next: isLost ? forgetting : nil)
        }
        Output(json: json).result(
            [
                ("domain", .text(domain)), ("database", .text(source.shown)),
                ("devices", devices.map { Output.Cell.integer($0) } ?? .null), ("forgotten", .boolean(forgets)),
            ],
            text: "\(domain) is no longer published. \(left(in: source, directory))" + (devices.map(Self.warning) ?? "")
        )
    }

    /// - Throws: ``CommandFailure`` where the file of the database is gone: what was added to it may come back with it.
    private func requireDatabase(_ source: DatabaseSource) throws {
        guard case .sqlite(let path) = source, !FilePath.exists(path) else { return }
        throw CommandFailure(
            "\(domain) was not unpublished.",
            why: "There is no file \(path), so nothing was removed from it.",
            next: "Put it back, and run the command again. \(forgetting)"
        )
    }

    /// - Throws: ``CommandFailure`` where another domain has the database, too, and needs what publishing added to it.
    private func requireNoOther(_ source: DatabaseSource, in directory: DataDirectory) throws {
        guard let other = ServerStores.otherDomain(of: source, than: domain, in: directory) else { return }
        throw CommandFailure(
            "\(domain) was not unpublished.",
            why: "Its database is published here as \(other), too, which needs what would be removed from it.",
            next: "Take the domain alone away: \(command)"
        )
    }

    /// How the domain is taken away where its database is gone.
    private var forgetting: String { "Where it is lost, take the domain alone away: \(command)" }

    /// The command that takes the domain away and leaves its database alone.
    private var command: String {
        "tideline unpublish \(domain) --data \(ShellWord.quoted(data.path))"
            + (removesUsers ? " --remove-users" : "") + " --forget"
    }

    /// What is left of the domain in its database.
    private func left(in source: DatabaseSource, _ directory: DataDirectory) -> String {
        guard forgets else { return "\(source.shown) is as if it had never been." }
        if let other = ServerStores.otherDomain(of: source, than: domain, in: directory) {
            return "\(source.shown) is published as \(other) still."
        }
        return "Nothing was removed from \(source.shown): where it is there, or comes back, it has what publishing "
            + "added.\nTo take that away, publish it once more with --continue, and unpublish it."
    }

    /// How many devices synchronise with a domain; `nil` where that cannot be read, which stands in nobody's way.
    private static func devices(of domain: String, in directory: DataDirectory) -> Int? {
        // To ask makes the file where it is missing.
        guard FilePath.exists(directory.control) else { return 0 }
        return try? ServerStores.accounts(directory).devices(of: domain).count(where: { $0.revokedAt == nil })
    }

    private static func warning(_ devices: Int) -> String {
        guard devices > 0 else { return "" }
        return
            "\nIt has \(PlainText.count(devices, "device")): what one sent without an answer it has to decide "
            + "about when the domain is published again."
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineServer
import TidelineService
import TidelineStorage

/// `tideline publish`.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a SQLite or PostgreSQL database in place, as a domain.",
        discussion: """
            For a trial on this machine, everybody may read and change everything:
              tideline publish sqlite:shop.db --domain shop --data ./data --open

            With policies, in a file of YAML:
              tideline publish sqlite:shop.db --domain shop --data ./data \\
                --policies policies.yaml
                policies:
                  - role: "*"
                    sets: [Orders]
                    operations: [read, insert, update, delete]
                    where: "OwnerId eq @me"

            A view is published, read-only, when its key is named:
              tideline publish sqlite:shop.db --domain shop --data ./data --open \\
                --key OrderTotals=OrderID

            PostgreSQL 13 or newer, as the owner of the tables; a password comes from
            PGPASSWORD, from ~/.pgpass or from a file, so that it stands in no command
            line and not in the domain's file:
              tideline publish postgres://tideline@db.example/shop --domain shop --open
              tideline publish postgres://db.example/shop --schema sales \\
                --password-file pw --domain shop --open

            What constraints say beyond doubt is published so: enumerations, limits,
            Booleans, link tables, singletons, streams. What names and values only
            suggest is printed as a hint, and decided with --guess (docs/domain.md):
              tideline publish sqlite:shop.db --domain shop --data ./data --open \\
                --guess complex --guess collections

            The tables stay as they are. What is added is change capture (triggers, and
            tables named tideline_… or a schema tideline), in one transaction with the
            domain's file; tideline unpublish takes it all away again. Publishing a domain
            again reads its tables anew and keeps its policies, and what --skip, --key and
            --guess said before: they stand in its file, and --include takes out of there
            what was left out. A database whose domain is lost, as one of a backup on
            another machine, is published with --continue.
            """
    )

    @Argument(help: "The database: a file of SQLite (sqlite:FILE, or its path), or postgres://USER@HOST/NAME.")
    var database: String
    @Option(help: "The name of the domain: its address is /odata/NAME/.") var domain: String
    @OptionGroup var data: DataOption
    @Flag(help: "Let everybody read and change everything, signed in or not.") var open = false
    @Option(
        name: .customLong("key"),
        help: ArgumentHelp("The key of a view; may be given more than once.", valueName: "view=column,…")
    )
    var viewKeys: [String] = []
    @Option(
        name: .customLong("skip"),
        help: ArgumentHelp("A table, or TABLE.COLUMN, to leave out; repeatable.", valueName: "table")
    )
    var skipped: [String] = []
    @Option(
        name: .customLong("include"),
        help: ArgumentHelp(
            "A table, or TABLE.COLUMN, that was left out, to have it again; repeatable.",
            valueName: "table"
        )
    )
    var included: [String] = []
    @Option(
        name: .customLong("guess"),
        help: ArgumentHelp(
            "Also decide what names and constraints only suggest: \(Guess.allCases.map(\.rawValue).joined(separator: ", ")), all; repeatable.",
            valueName: "what"
        )
    )
    var guessed: [String] = []
    @Option(
        name: .customLong("policies"),
        help: ArgumentHelp("YAML: who may do what, and where users are found (signIn).", valueName: "file")
    )
    var policyFile: String?
    @Option(help: "The schema of PostgreSQL whose tables are published.") var schema: String?
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp("A file with PostgreSQL's password, read at each start.", valueName: "file")
    )
    var passwordFile: String?
    @Option(
        help: ArgumentHelp(
            "A replica of PostgreSQL that answers reads which speak of no changes, and may lag behind.",
            valueName: "postgres://…"
        )
    )
    var replica: String?
    @Flag(
        name: .customLong("continue"),
        help: "Go on with a database that is published already, where the data folder of its domain is lost."
    )
    var continues = false
    @Flag(help: "Write JSON, one object a line.") var json = false

    func validate() throws {
        let isPostgres = PostgresAddress.isAddress(database)
        guard isPostgres || database != "sqlite:" && !database.isEmpty && !database.contains("://") else {
            throw ValidationError("The database is named as sqlite:FILE or postgres://USER@HOST/NAME.")
        }
        guard isPostgres || schema == nil && passwordFile == nil && replica == nil else {
            throw ValidationError("--schema, --password-file and --replica are for PostgreSQL.")
        }
        guard replica.map(PostgresAddress.isAddress) ?? true else {
            throw ValidationError("--replica is postgres://USER@HOST/NAME.")
        }
        for word in guessed where word != "all" && Guess(rawValue: word) == nil {
            let known = Guess.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--guess \(word) is not known; known are \(known), all.")
        }
        guard !open || policyFile == nil else { throw ValidationError("--open and --policies exclude each other.") }
    }

    func run() async throws {
        let source = try source()
        guard Domain.isName(domain) else {
            throw CommandFailure(
                "\(domain) cannot be the name of a domain.",
                next: "Use lower-case letters, digits, - and _, a letter first."
            )
        }
        var keys: [String: [String]] = [:]
        for text in viewKeys {
            let parts = text.split(separator: "=", maxSplits: 1)
            let columns = parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : []
            guard !columns.isEmpty else {
                throw CommandFailure(
                    "--key \(text) is not VIEW=COLUMN,…",
                    next: "For example --key OrderTotals=OrderID"
                )
            }
            keys[String(parts[0])] = columns
        }
        var publication = Publication(
            source: source,
            name: domain,
            data: data.directory,
            isOpen: open,
            choices: PublishingChoices(
                skipped: Set(skipped),
                keys: keys,
                guesses: guessed.contains("all") ? Set(Guess.allCases) : Set(guessed.compactMap(Guess.init))
            ),
            policies: try policyFile.map(readPolicies)
        )
        publication.continuesDomain = continues
        publication.included = Set(included)
        do {
            let report = try publication.publish()
            report.write(to: Output(json: json), serve: "tideline serve --data \(ShellWord.quoted(data.path))")
        } catch let error as StorageError where error == .publishedAlready {
            throw CommandFailure(
                "The database was not published; nothing was changed.",
                why: "It is published already, from another data folder or under another address.",
                next: "Unpublish it there, with --data. Where that folder is lost, go on with it: --continue"
            )
        } catch let error as StorageError where error == .deviceStore {
            throw CommandFailure(
                "The database was not published; nothing was changed.",
                why: error.message,
                next: "Publish the database of that service, or make a new one from what the device knows of it: "
                    + "tideline help create"
            )
        } catch {
            throw CommandFailure.wrap("The database was not published; nothing was changed.", error)
        }
    }

    private func source() throws -> DatabaseSource {
        guard !PostgresAddress.isAddress(database) else {
            return .postgres(
                PostgresAddress(
                    url: database,
                    schema: schema ?? "public",
                    passwordFile: passwordFile,
                    replica: replica
                )
            )
        }
        let prefix = "sqlite:"
        let file = database.hasPrefix(prefix) ? String(database.dropFirst(prefix.count)) : database
        guard FilePath.exists(file), !FilePath.isFolder(file) else {
            throw CommandFailure(
                "There is no file \(file).",
                next: "Check the path; a database of PostgreSQL is named as postgres://USER@HOST/NAME."
            )
        }
        return .sqlite(FilePath.absolute(file))
    }

    private func readPolicies(_ path: String) throws -> String {
        do {
            return String(decoding: try AtomicFile.read(path), as: UTF8.self)
        } catch {
            throw CommandFailure("The policies in \(path) cannot be read.", why: error.message)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineOData
import TidelineServer
import TidelineService

/// `tideline create`.
struct CreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a database and its domain from a model.",
        discussion: """
            From CSDL, in XML or JSON, as a service's $metadata:
              tideline create shop --model shop.xml --data ./data --open

            From entities in Swift, which print their model themselves:
              print(EntityModel(Order.self, Client.self, namespace: "Shop").csdl())
              tideline create shop --model shop.json --data ./data --open

            The database is a file of SQLite in the data folder, or tables in PostgreSQL:
              tideline create shop --model shop.json --postgres postgres://db.example/shop

            Keys, foreign keys, unique values and limits become constraints of the tables;
            what SQL cannot say is kept by the service alone. Then: tideline serve
            """
    )

    @Argument(help: "The name of the domain: its address is /odata/NAME/.") var domain: String
    @Option(help: ArgumentHelp("The model: CSDL in XML or JSON.", valueName: "file")) var model: String
    @OptionGroup var data: DataOption
    @Flag(help: "Let everybody read and change everything, signed in or not.") var open = false
    @Option(name: .customLong("policies"), help: ArgumentHelp("YAML: who may do what.", valueName: "file"))
    var policyFile: String?
    @Option(help: ArgumentHelp("Make the tables in this database of PostgreSQL.", valueName: "postgres://…"))
    var postgres: String?
    @Option(help: "The schema of PostgreSQL in which the tables are made.") var schema: String?
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp("A file with PostgreSQL's password, read at each start.", valueName: "file")
    )
    var passwordFile: String?
    @Flag(help: "Write JSON, one object a line.") var json = false

    func validate() throws {
        guard postgres.map(PostgresAddress.isAddress) ?? true else {
            throw ValidationError("--postgres is postgres://USER@HOST/NAME.")
        }
        guard postgres != nil || schema == nil && passwordFile == nil else {
            throw ValidationError("--schema and --password-file are for PostgreSQL.")
        }
        guard !open || policyFile == nil else { throw ValidationError("--open and --policies exclude each other.") }
        guard open || policyFile != nil else {
            throw ValidationError("Say who may do what: --policies FILE, or for a trial on this machine --open.")
        }
    }

    func run() async throws {
        guard Domain.isName(domain) else {
            throw CommandFailure(
                "\(domain) cannot be the name of a domain.",
                next: "Use lower-case letters, digits, - and _, a letter first."
            )
        }
        let read = try ModelFile.read(model)
        let creation = Creation(
            model: try CreationModel(read.model),
            name: domain,
            data: data.directory,
            isOpen: open,
            policies: try policyFile.map { try String(decoding: AtomicFile.read($0), as: UTF8.self) },
            postgres: postgres.map {
                PostgresAddress(url: $0, schema: schema ?? "public", passwordFile: passwordFile)
            }
        )
        do {
            let report = try creation.create()
            let output = Output(json: json)
            for note in read.warnings + creation.model.notes { output.note(note) }
            report.write(to: output, serve: "tideline serve --data \(ShellWord.quoted(data.path))")
        } catch {
            throw CommandFailure.wrap("The domain was not made; nothing was changed.", error)
        }
    }
}

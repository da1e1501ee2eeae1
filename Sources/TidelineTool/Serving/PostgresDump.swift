// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Backups of PostgreSQL, by PostgreSQL's own tools.
enum PostgresDump {
    /// Runs `pg_dump` into a file that is not there yet; the password goes by the environment, where nobody sees it.
    ///
    /// - Throws: ``CommandFailure``, also where there is no `pg_dump`; `CancellationError`, and no file is left then.
    static func write(_ address: PostgresAddress, to file: String) async throws {
        let arguments = ["pg_dump", "--format=custom", "--no-password", "--file=\(file)", "--dbname=\(address.shown)"]
        let command = arguments.map(ShellWord.quoted).joined(separator: " ")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        if let password = try address.password() { environment["PGPASSWORD"] = password }
        process.environment = environment
        let errors = Pipe()
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw CommandFailure(
                "pg_dump cannot be run.",
                why: SystemReason.text(error),
                next: "Run it yourself: \(command)"
            )
        }
        let number = process.processIdentifier
        let said = await withTaskCancellationHandler {
            wait(for: process, errors)
        } onCancel: {
            // It may pass over what this process passes over: Ctrl-C and SIGTERM.
            _ = kill(number, SIGKILL)
        }
        guard process.terminationStatus != 127 else {
            throw CommandFailure(
                "There is no pg_dump on this machine.",
                next: "Install PostgreSQL's client tools, or run on another machine: \(command)"
            )
        }
        guard process.terminationStatus == 0 else {
            FilePath.remove(file)
            try Task.checkCancellation()
            let lines = said.split(separator: "\n").prefix(3).joined(separator: " ")
            throw CommandFailure("pg_dump failed.", why: lines.isEmpty ? nil : lines)
        }
    }

    /// Waits for the end of a process.
    ///
    /// - Returns: what it said to standard error.
    private static func wait(for process: Process, _ errors: Pipe) -> String {
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said
    }

    /// How a dump is restored, as commands.
    ///
    /// The sequences of a dump stand where they stood then. Keys that were given since would be given again, to other rows,
    /// and what devices changed in the old ones would go to these: so the sequences are kept beside it.
    static func restoring(_ file: String, to address: PostgresAddress) -> [String] {
        let database = ShellWord.quoted(address.shown)
        let keys = ShellWord.quoted(file + ".keys.sql")
        return [
            "psql --dbname=\(database) -Atc \(ShellWord.quoted(sequences)) > \(keys)",
            "pg_restore --clean --if-exists --single-transaction --dbname=\(database) \(ShellWord.quoted(file))",
            "psql --dbname=\(database) -f \(keys)",
        ]
    }

    /// Statements that set each sequence to where it stands now, unless it is further then.
    private static let sequences =
        "SELECT format('SELECT setval(%L, greatest(%s, (SELECT last_value FROM %I.%I)));', "
        + "format('%I.%I', schemaname, sequencename), last_value, schemaname, sequencename) "
        + "FROM pg_sequences WHERE last_value IS NOT NULL AND schemaname <> 'tideline'"
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Backups of PostgreSQL, by PostgreSQL's own tools.
enum PostgresDump {
    /// Runs `pg_dump` into a file that is not there yet; the password goes by the environment, where nobody sees it.
    ///
    /// - Throws: ``CommandFailure``, also where there is no `pg_dump`.
    static func write(_ address: PostgresAddress, to file: String) throws {
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
        let said: String
        do {
            try process.run()
            said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
        } catch {
            throw CommandFailure("pg_dump cannot be run.", why: "\(error)", next: "Run it yourself: \(command)")
        }
        guard process.terminationStatus != 127 else {
            throw CommandFailure(
                "There is no pg_dump on this machine.",
                next: "Install PostgreSQL's client tools, or run on another machine: \(command)"
            )
        }
        guard process.terminationStatus == 0 else {
            FilePath.remove(file)
            let lines = said.split(separator: "\n").prefix(3).joined(separator: " ")
            throw CommandFailure("pg_dump failed.", why: lines.isEmpty ? nil : lines)
        }
    }

    /// How a dump is restored, as one command.
    static func restoring(_ file: String, to address: PostgresAddress) -> String {
        "pg_restore --clean --if-exists --single-transaction --dbname=\(ShellWord.quoted(address.shown)) "
            + ShellWord.quoted(file)
    }
}

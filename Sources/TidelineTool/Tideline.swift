// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineSQLite

/// The command-line tool: `tideline`.
@main
struct Tideline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tideline",
        abstract: "Offline-first data: publish a database, clone a part of it, edit it with no connection, sync.",
        discussion: """
            On the server's side:
              tideline publish sqlite:shop.db --data ./data --domain shop --open
              tideline serve --data ./data

            On a device:
              tideline clone http://127.0.0.1:8080/odata/shop/ shop.tideline
              tideline query shop.tideline 'Orders?$top=5'
              tideline sync shop.tideline

            What is data is a table on a terminal, and one JSON object a line with --json
            or in a pipe.
            The exit status is 0 only when all went well.
            """,
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(name: "Server", subcommands: serverCommands),
            CommandGroup(name: "Device", subcommands: deviceCommands),
            CommandGroup(name: "Development", subcommands: developmentCommands),
        ]
    )

    /// The commands that publish and serve.
    static let serverCommands: [any ParsableCommand.Type] = [
        ServeCommand.self, PublishCommand.self, CreateCommand.self, UnpublishCommand.self, CompactCommand.self,
        BackupCommand.self, RestoreCommand.self, UserCommand.self, DeviceCommand.self,
        ConflictCommand.self,
    ]

    /// The commands that work on a device's store file.
    static let deviceCommands = allDeviceCommands

    /// The commands that help to write programs.
    static let developmentCommands: [any ParsableCommand.Type] = [GenerateCommand.self, SimulateCommand.self]

    /// Runs the command of the process's arguments; failures say what, why and what to do next on standard error.
    static func main() async {
        SQLiteProcess.leaveMemoryUncounted()
        do {
            var command = try parseAsRoot(KeyText.protected(Array(CommandLine.arguments.dropFirst())))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            failure.write()
            exit(withError: ExitCode(failure.status))
        } catch let end where exitCode(for: end).isSuccess {
            // Help that was asked for is output as any other.
            let text = fullMessage(for: end)
            if !text.isEmpty { StandardStream.output.write(text + "\n") }
        } catch {
            exit(withError: error)
        }
        if StandardStream.isOutputLost { exit(withError: ExitCode.failure) }
    }
}

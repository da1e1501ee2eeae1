// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarksModels
import SixBookmarksTerminal

/// `sixbookmarks`: the app on the whole terminal, or one command of it.
@main
@MainActor
struct SixBookmarksTool {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if let program = FileProgram(arguments, password: PasswordReader.read) {
                return show(try await program.run())
            }
            try await run(try CommandLineRequest(arguments))
        } catch {
            FileHandle.standardError.write(Data("sixbookmarks: \(error)\n".utf8))
            exit((error as? CommandError)?.status ?? 1)
        }
    }

    private static func run(_ request: CommandLineRequest) async throws {
        if request.wantsHelp || request.words == ["help"] { return show([CommandLineRequest.help]) }
        let device = BookmarkDevice(folder: request.home ?? Settings.home)
        let service = request.service ?? Settings.service
        guard request.words.isEmpty, !request.isJSON, RawTerminal.isInteractive else {
            let program = LineProgram(
                device,
                request,
                service: service,
                password: PasswordReader.read,
                opener: SystemBrowser.open,
                note: { FileHandle.standardError.write(Data("sixbookmarks: \($0)\n".utf8)) }
            )
            return show(try await program.run())
        }
        let terminal = RawTerminal()
        let app = TerminalApp(AppModel(device, service: service, opener: SystemBrowser.open), on: terminal)
        terminal.listen { app.send($0) }
        await app.run()
        terminal.restore()
        // What still asks the network when somebody quits is not waited for.
        exit(0)
    }

    private static func show(_ lines: [String]) {
        for line in lines { print(line) }
    }
}

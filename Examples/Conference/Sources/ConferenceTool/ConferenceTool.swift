// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Conference
import Foundation

/// `conference FILE COMMAND …`: the whole program.
@main
struct ConferenceTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let file = arguments.first, arguments.count >= 2, !arguments.contains("help") else {
            print(ConferenceProgram.help)
            return
        }
        do {
            let program = ConferenceProgram(try ConferenceBook(path: file))
            for line in try program.run(Array(arguments.dropFirst())) { print(line) }
        } catch {
            FileHandle.standardError.write(Data("conference: \(error)\n".utf8))
            exit(1)
        }
    }
}

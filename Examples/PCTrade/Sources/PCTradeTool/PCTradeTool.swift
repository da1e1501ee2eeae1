// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PCTrade

/// `pctrade FILE COMMAND …`: the whole program.
@main
@MainActor
struct PCTradeTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let file = arguments.first, arguments.count >= 2, !arguments.contains("help") else {
            print(PCTradeProgram.help)
            return
        }
        do {
            let program = PCTradeProgram(try PCTradeStore.open(path: file))
            for line in try program.run(Array(arguments.dropFirst())) { print(line) }
        } catch {
            FileHandle.standardError.write(Data("pctrade: \(error)\n".utf8))
            exit(1)
        }
    }
}

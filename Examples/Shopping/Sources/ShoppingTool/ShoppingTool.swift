// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Shopping

/// `shopping FILE COMMAND …`: the whole program.
@main
@MainActor
struct ShoppingTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let file = arguments.first, arguments.count >= 2, !arguments.contains("help") else {
            print(ShoppingProgram.help)
            return
        }
        do {
            let program = ShoppingProgram(try ShoppingList(path: file))
            for line in try program.run(Array(arguments.dropFirst())) { print(line) }
        } catch {
            FileHandle.standardError.write(Data("shopping: \(error)\n".utf8))
            exit(1)
        }
    }
}

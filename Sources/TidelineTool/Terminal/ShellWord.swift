// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Words of a command line that is shown, to be copied into a shell.
enum ShellWord {
    /// The word as it is where a shell would leave it alone, in single quotes otherwise.
    static func quoted(_ text: String) -> String {
        let isPlain = { (character: Character) in
            character.isLetter || character.isNumber || "_-./:=,+@%".contains(character)
        }
        guard text.isEmpty || !text.allSatisfy(isPlain) else { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

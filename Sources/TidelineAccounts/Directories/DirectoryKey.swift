// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What stands for a user of a directory where the records of the server have the folded name of a user.
///
/// It begins with a line break, which no name of the server's own users has.
struct DirectoryKey: Hashable {
    var directory: String
    var id: Value

    init(directory: String, id: Value) {
        self.directory = directory
        self.id = id
    }

    /// - Returns: `nil` for the name of one of the server's own users.
    init?(text: String) {
        guard text.first == "\n" else { return nil }
        let parts = text.dropFirst().split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        directory = String(parts[0])
        id = PackedValue.unpack(String(parts[1]))
    }

    var text: String { "\n\(directory)\n\(PackedValue.pack(id))" }

    /// What failures of a name are counted under that nobody has.
    static func unknown(_ name: String, in directory: String) -> String {
        "\n\(directory)\n?\(UserName.folded(name))"
    }
}

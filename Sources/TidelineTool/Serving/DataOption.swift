// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineServer

/// `--data DIR`: the folder of a server.
struct DataOption: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("The folder with the server's domains, users and keys.", valueName: "dir")
    )
    var path = "./data"

    /// The folder, which need not exist.
    var directory: DataDirectory { DataDirectory(path: path) }

    /// The folder, which must exist.
    func existing() throws -> DataDirectory {
        guard FilePath.isFolder(path) else {
            throw CommandFailure(
                "There is no folder \(path).",
                next: "Name the server's folder with --data, or make one by publishing: tideline help publish"
            )
        }
        return directory
    }
}

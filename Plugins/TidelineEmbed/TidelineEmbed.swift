// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Puts the files of a target's folder `Web` into the program, as `WebFiles`.
@main
struct TidelineEmbed: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Web")
        let output = context.pluginWorkDirectoryURL.appending(path: "WebFiles.swift")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return [
            .buildCommand(
                displayName: "Embedding the pages of \(target.name)",
                executable: try context.tool(named: "TidelineEmbedder").url,
                arguments: [folder.path, output.path],
                // The folder too, for a file that goes.
                inputFiles: [folder] + names.sorted().map { folder.appending(path: $0) },
                outputFiles: [output]
            )
        ]
    }
}

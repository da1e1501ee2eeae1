// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package tideline-generate`: runs `tideline generate` for a package.
///
///     swift package --allow-writing-to-package-directory tideline-generate \
///       swift shop.xml --output Sources/App/Model
///
/// It takes the tool that `--tool` names, else the one on the search path, else it builds the one of this package: a
/// plugin that had the tool as a dependency would make SwiftPM build the whole server for everybody who only generates.
@main
struct TidelineGenerate: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let named = extractor.extractOption(named: "tool").first
        let tool = try named.map { URL(filePath: $0) } ?? Self.installed() ?? built()
        let process = Process()
        process.executableURL = tool
        process.arguments = ["generate"] + extractor.remainingArguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            Diagnostics.error("tideline generate ended with status \(process.terminationStatus).")
            return
        }
    }

    /// The tool on the search path.
    private static func installed() -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "tideline") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private func built() throws -> URL {
        let result = try packageManager.build(.product("tideline"), parameters: .init(configuration: .release))
        guard result.succeeded, let tool = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw Failure(description: "The tool cannot be built; name one with --tool.\n\(result.logText)")
        }
        return tool.url
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

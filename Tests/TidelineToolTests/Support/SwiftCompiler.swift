// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// The Swift compiler over the modules and the macro plugin that were built beside the tests.
enum SwiftCompiler {
    /// What the compiler says of sources that import Tideline; nothing where all is well.
    ///
    /// A warning is an error.
    /// - Parameter isScript: whether the one source has statements outside of functions.
    static func complaints(of sources: [String], isScript: Bool = false) throws -> String {
        let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var arguments = [
            "swiftc", "-typecheck", "-warnings-as-errors", "-swift-version", "6", "-module-name", "Generated", "-I",
            build.appending(path: "Modules").path, "-load-plugin-executable",
            build.appending(path: "TidelineMacros-tool").path + "#TidelineMacros",
        ]
        if !isScript { arguments.append("-parse-as-library") }
        for map in moduleMaps(build) { arguments += ["-Xcc", "-fmodule-map-file=\(map)"] }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments + sources
        let pipe = try process.begin {
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            return pipe
        }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        return process.terminationStatus == 0 ? text : "status \(process.terminationStatus)\n\(text)"
    }

    /// The maps of the C modules that built modules import.
    private static func moduleMaps(_ build: URL) -> [String] {
        let files = FileManager.default
        func children(_ folder: URL) -> [URL] {
            ((try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []).sorted {
                $0.path < $1.path
            }
        }
        var maps = children(build).filter { $0.pathExtension == "build" }.map { $0.appending(path: "module.modulemap") }
        let scratch = build.deletingLastPathComponent().deletingLastPathComponent()
        let packages = children(scratch.appending(path: "checkouts")) + [scratch.deletingLastPathComponent()]
        for target in packages.flatMap({ children($0.appending(path: "Sources")) }) {
            maps.append(target.appending(path: "include/module.modulemap"))
            maps.append(target.appending(path: "module.modulemap"))
        }
        return maps.map(\.path).filter { files.fileExists(atPath: $0) && !$0.contains("SQLCipher") }
    }
}

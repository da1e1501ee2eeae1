// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineTestSupport

/// What the compiler makes of a source with the macros: what they write, and the mistakes that they tell.
///
/// The compiler runs the plugin that was built beside the tests, as it does for an app. A test target that had the macros
/// as a dependency would make SwiftPM build every module of the package a second time, for the host.
struct Expansion {
    /// What the macros wrote, piece by piece; markers write nothing.
    let pieces: [String]
    /// `line:column message` of each mistake that a macro tells, in the order of the source.
    let mistakes: [String]

    /// - Throws: when the compiler cannot be started.
    init(_ text: String) throws {
        let folder = URL(filePath: ProcessFolder.path).appending(path: "macros-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "Test.swift")
        try text.write(to: source, atomically: true, encoding: .utf8)
        let output = try Self.compile(
            ["-typecheck", "-dump-macro-expansions", "-diagnostic-style", "llvm", "-module-name", "Test"]
                + ["-I", Self.declarations.get(), "-import-module", "Tideline", source.path],
            in: folder
        )
        mistakes = output.split(separator: "\n").compactMap { Self.mistake(String($0), in: source.path) }
        pieces = Self.pieces(of: output)
    }

    /// `path:line:column: error: message (from macro 'Entity')` as `line:column message`.
    private static func mistake(_ line: String, in path: String) -> String? {
        let mark = " (from macro "
        guard line.hasPrefix(path + ":"), let end = line.range(of: mark), let error = line.range(of: ": error: ") else {
            return nil
        }
        let place = line[line.index(line.startIndex, offsetBy: path.count + 1)..<error.lowerBound]
        return "\(place) \(line[error.upperBound..<end.lowerBound])"
    }

    /// What stands between the rules that follow the name of each piece.
    private static func pieces(of output: String) -> [String] {
        let rule = String(repeating: "-", count: 30)
        var pieces: [String] = []
        var current: [Substring]?
        for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == rule {
                if let lines = current {
                    pieces.append(lines.joined(separator: "\n"))
                    current = nil
                } else {
                    current = []
                }
            } else {
                current?.append(line)
            }
        }
        return pieces.filter { !$0.isEmpty }
    }

    /// The folder of a module with the declarations of the macros as the library has them, and of what these name.
    private static let declarations = Result<String, any Error> {
        let folder = URL(filePath: ProcessFolder.path).appending(path: "macro-declarations")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let library = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Tideline/Macros.swift")
        let macros = try String(contentsOf: library, encoding: .utf8)
            .replacing("public import TidelineModel", with: "")
        let named = """
            public protocol Queryable {}
            public enum NavigationProperty { public enum DeleteRule { case none, cascade } }
            public struct ConflictPolicy {
                public enum Rule { case serverWins, counter, union, words, ask, custom(String) }
                public enum Fallback { case serverWins, lastEdit, ask }
            }
            public struct GUID {}
            public struct EdmDecimal {}
            public let name = "Orders"
            """
        let source = folder.appending(path: "Tideline.swift")
        try (macros + named).write(to: source, atomically: true, encoding: .utf8)
        let output = try compile(
            ["-emit-module", "-module-name", "Tideline", "-parse-as-library", "-o"]
                + [folder.appending(path: "Tideline.swiftmodule").path, source.path],
            in: folder
        )
        guard output.isEmpty else { throw CompilerMessage(text: output) }
        return folder.path
    }

    private struct CompilerMessage: Error { let text: String }

    /// Runs the compiler's front end with the plugin, and gives all that it printed.
    private static func compile(_ arguments: [String], in folder: URL) throws -> String {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let plugin = tests.appending(path: "TidelineMacros-tool").path
        let printed = folder.appending(path: "printed-\(UUID().uuidString)")
        try Data().write(to: printed)
        let handle = try FileHandle(forWritingTo: printed)
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-frontend", "-swift-version", "6", "-load-plugin-executable", "\(plugin)#TidelineMacros"]
            + arguments
        process.standardOutput = handle
        process.standardError = handle
        try process.begin()
        process.waitUntilExit()
        return try String(contentsOf: printed, encoding: .utf8)
    }
}

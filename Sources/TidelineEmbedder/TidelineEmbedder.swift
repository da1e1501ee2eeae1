// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes the files of a folder into a Swift source, so that the program that serves them is one file.
///
///     TidelineEmbedder FOLDER OUTPUT
///
/// SwiftPM's own `.embedInCode` writes each byte as a number, which the compiler reads 100 times slower than text.
@main
enum TidelineEmbedder {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw Failure(description: "usage: TidelineEmbedder FOLDER OUTPUT") }
        let folder = URL(filePath: arguments[1], directoryHint: .isDirectory).standardizedFileURL
        var entries = ""
        for path in try paths(in: folder) {
            let data = try Data(contentsOf: folder.appending(path: path))
            guard let text = String(data: data, encoding: .utf8) else {
                throw Failure(description: "\(path) is not UTF-8; only text is embedded.")
            }
            entries += "        (\"\(path)\", \(literal(text))),\n"
        }
        let source = """
            enum WebFiles {
                /// Each file: its path, and its text.
                static let all: [(path: String, text: String)] = [
            \(entries)    ]
            }

            """
        try source.write(toFile: arguments[2], atomically: true, encoding: .utf8)
    }

    /// The paths of the files, in their order, so that the output is the same on each machine.
    private static func paths(in folder: URL) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try names.filter { name in
            let values = try folder.appending(path: name).resourceValues(forKeys: [.isRegularFileKey])
            return values.isRegularFile == true && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        .sorted()
    }

    /// The text as a literal whose delimiter it does not hold.
    private static func literal(_ text: String) -> String {
        var hashes = "#"
        while text.contains("\"" + hashes) || text.contains("\\" + hashes) { hashes += "#" }
        // The newline before the closing quotes is not of the text.
        return "\(hashes)\"\"\"\n\(text)\n\"\"\"\(hashes)"
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a device did, a line each, appended before and after it is done: it outlives the process.
///
///     begin 17        commit 17        violation TEXT
struct History {
    private let file: FileHandle
    /// The transactions that were committed, in their order.
    private(set) var committed: [Int] = []
    /// The number of the newest transaction that was begun.
    private(set) var newest = 0

    /// Opens a history, or begins it.
    init(path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { continue }
            if words[0] == "begin" { newest = number }
            if words[0] == "commit" { committed.append(number) }
        }
        file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
    }

    mutating func begin() throws -> Int {
        newest += 1
        try write("begin \(newest)")
        return newest
    }

    mutating func commit(_ number: Int) throws {
        try write("commit \(number)")
        committed.append(number)
    }

    func violation(_ text: String) throws { try write("violation " + text) }

    /// One call of the system for a line: a killed process leaves whole lines, as good as always.
    private func write(_ line: String) throws { try file.write(contentsOf: Data((line + "\n").utf8)) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a folder holds: the bytes of each file by its path within the folder.
struct DiskImage {
    var folders: [String] = []
    var files: [String: [UInt8]] = [:]

    /// SQLite's shared memory beside a database, which is no content of a disk.
    static func isMemory(_ path: String) -> Bool { path.hasSuffix("-shm") }

    /// The paths of the files and of the folders within a folder, sorted.
    static func paths(in folder: String) -> (files: [String], folders: [String]) {
        var (files, folders): ([String], [String]) = ([], [])
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
            var isFolder: ObjCBool = false
            let isThere = unsafe FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
            guard isThere else { continue }
            if isFolder.boolValue { folders.append(path) } else { files.append(path) }
        }
        return (files.sorted(), folders.sorted())
    }

    /// Makes the content of a folder what this is: of new files, so that whoever has the old ones open keeps them.
    func layOut(in folder: String) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: folder) {
            try manager.removeItem(atPath: "\(folder)/\(name)")
        }
        for path in folders {
            try manager.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
        }
        for (path, bytes) in files {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(path)"))
        }
    }
}

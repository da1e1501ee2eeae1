// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of this process for the files of its tests.
///
/// It goes when the process ends; what a process leaves that is killed, the next one takes away. Not with the test that
/// made the files: stores that outlive it may open another connection.
public enum ProcessFolder {
    private static let prefix = "tideline-tests-"

    /// The folder's path, without a slash at the end.
    public static let path: String = {
        let files = FileManager.default
        let parent = files.temporaryDirectory
        for name in (try? files.contentsOfDirectory(atPath: parent.path)) ?? [] where name.hasPrefix(prefix) {
            guard let process = Int32(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            try? files.removeItem(at: parent.appendingPathComponent(name))
        }
        let folder = parent.appendingPathComponent("\(prefix)\(getpid())").path
        try? files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: ProcessFolder.path) }
        return folder
    }()
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TidelineStore

/// The file beside its place in which a clone is made until it is complete: `trade.tideline.clone-4711-98`.
struct CloneDraft {
    let path: String
    private let target: String
    /// The drafts of this process: another one of its number may have been killed before, as in a container.
    private static let ours = Mutex<Set<String>>([])

    init(of target: String) {
        self.target = target
        let path = "\(target).clone-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        self.path = path
        Self.ours.withLock { _ = $0.insert(URL(fileURLWithPath: path).path) }
    }

    /// Gives the complete file its name; a file that came there meanwhile is not replaced.
    func move() throws {
        do {
            try FileManager.default.moveItem(atPath: path, toPath: target)
        } catch {
            throw LocalStoreError(.io, message: "The store could not be moved to \(target).")
        }
        remove()
    }

    func remove() {
        Self.remove(path)
        Self.ours.withLock { _ = $0.remove(URL(fileURLWithPath: path).path) }
    }

    /// Removes the drafts of processes that were killed before they had made the file.
    static func removeAbandoned(of target: String) {
        let target = URL(fileURLWithPath: target)
        let folder = target.deletingLastPathComponent().path
        let prefix = target.lastPathComponent + ".clone-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            // "4711-98", and no more: what stands beside the draft goes with it.
            let parts = name.dropFirst(prefix.count).split(separator: "-")
            guard parts.count == 2, let process = pid_t(parts[0]), process > 0, UInt32(parts[1]) != nil else {
                continue
            }
            let path = folder + "/" + name
            let isGone =
                process == getpid()
                ? !ours.withLock { $0.contains(path) } : kill(process, 0) != 0 && errno == ESRCH
            if isGone { remove(path) }
        }
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}

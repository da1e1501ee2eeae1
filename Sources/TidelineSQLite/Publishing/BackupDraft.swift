// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file beside its place in which a copy is made until it is whole: `shop.sqlite.tmp-4711-98`.
struct BackupDraft {
    let path: String
    /// The names of this process's drafts: another one of its number may have been killed before, as in a container.
    private static let ours = Mutex<Set<String>>([])

    init(beside target: String) {
        path = "\(target).tmp-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let name = Self.parted(path).name
        Self.ours.withLock { _ = $0.insert(name) }
    }

    func remove() {
        Self.remove(path)
        let name = Self.parted(path).name
        Self.ours.withLock { _ = $0.remove(name) }
    }

    /// Removes the drafts of processes that were killed before the copy was whole.
    static func removeAbandoned(beside target: String) {
        let (folder, base) = parted(target)
        let prefix = base + ".tmp-"
        for name in names(in: folder) where name.hasPrefix(prefix) {
            // "4711-98", and no more: what stands beside the draft goes with it.
            let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let process = pid_t(parts[0]), process > 0, UInt32(parts[1]) != nil else {
                continue
            }
            let isGone =
                process == getpid() ? !ours.withLock { $0.contains(name) } : kill(process, 0) != 0 && errno == ESRCH
            if isGone { remove(folder + "/" + name) }
        }
    }

    private static func parted(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder.isEmpty ? "/" : folder) else { return [] }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unsafe unlink(path + suffix) }
    }
}

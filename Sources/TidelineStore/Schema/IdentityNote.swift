// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is noted of a client beside the user's settings, outside of backups: the nonces that its store's file may have,
/// and the path of that file.
///
/// A small file of two lines: one or two nonces, and the path. It is written under the lock of the store's file.
struct IdentityNote {
    struct Content: Equatable {
        var nonces: [String]
        var place: String?
    }

    /// That of the note.
    let path: String

    /// What is noted, or `nil` where nothing is.
    func read() -> Content? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        return unsafe content(file)
    }

    private func content(_ file: UnsafeMutablePointer<FILE>) -> Content {
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, 8192, file) }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
        let nonces = lines.first?.split(separator: " ").map(String.init) ?? []
        return Content(nonces: nonces, place: lines.count > 1 ? lines[1] : nil)
    }

    /// Notes something else, onto the disk.
    func write(_ nonces: [String], place: String) throws {
        if try replace(nonces, place: place) { return }
        try write("\(nonces.joined(separator: " "))\n\(place)")
    }

    /// Writes the nonces over those that are there, where they are as long and of the same place: to make a file and rename
    /// it takes the disk several times as long, and every push waits for it.
    ///
    /// Half of it can be there only for a moment or after a crash, and before anything is sent: the file is then taken for a
    /// copy at worst, by which nothing is lost.
    private func replace(_ nonces: [String], place: String) throws -> Bool {
        guard let file = unsafe fopen(path, "r+") else { return false }
        let known = unsafe content(file)
        guard known.place == place, known.nonces.map(\.utf8.count) == nonces.map(\.utf8.count) else {
            unsafe fclose(file)
            return false
        }
        unsafe rewind(file)
        guard unsafe put(nonces.joined(separator: " "), file) else { throw Self.failure }
        return true
    }

    /// Writes the note, for its owner alone, under another name and renames it into place.
    private func write(_ text: String) throws {
        FileSystem.makeFolder(of: path)
        let temporary = "\(path).\(getpid()).new"
        unsafe _ = unlink(temporary)
        guard let file = unsafe fopen(temporary, "wx") else { throw Self.failure }
        // Before the first byte, so that nobody else ever reads one.
        unsafe _ = fchmod(fileno(file), 0o600)
        guard unsafe put(text, file), unsafe rename(temporary, path) == 0 else { throw Self.failure }
    }

    /// Writes a text to where a file stands, and closes the file.
    ///
    /// - Returns: whether the text is on the disk.
    private func put(_ text: String, _ file: UnsafeMutablePointer<FILE>) -> Bool {
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        let isOnDisk = unsafe fflush(file) == 0 && FileSystem.keep(fileno(file))
        return unsafe fclose(file) == 0 && isOnDisk && count == bytes.count
    }

    private static var failure: LocalStoreError {
        LocalStoreError(.io, message: "The folder for store identities cannot be written.")
    }

    /// A path without links.
    static func realPath(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

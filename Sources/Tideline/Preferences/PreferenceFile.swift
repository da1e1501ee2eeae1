// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TidelineStore

/// Preferences in a JSON file of their own, for its owner alone.
///
/// It is written under another name and renamed into place. A file that cannot be read is renamed to `….damaged`.
public struct PreferenceFile: PreferenceStorage {
    public let path: String

    public init(path: String) { self.path = path }

    /// The preferences of a user, beside the user's store.
    ///
    /// - Throws: `LocalStoreError` for a name that no file can have.
    public init(files: StoreFiles, user: String?) throws {
        path = try files.path(user: user) + ".preferences.json"
    }

    public func load() throws -> [String: PreferenceValue] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw PreferenceError(.file, message: "The preferences '\(path)' cannot be read.")
        }
        do { return try JSONDecoder().decode([String: PreferenceValue].self, from: data) } catch {
            let aside = path + ".damaged"
            try? FileManager.default.removeItem(atPath: aside)
            try? FileManager.default.moveItem(atPath: path, toPath: aside)
            throw PreferenceError(.damaged, message: "The preferences '\(path)' are damaged; they are '\(aside)' now.")
        }
    }

    public func save(_ changes: [String: PreferenceValue?], all: [String: PreferenceValue]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let folder = URL(filePath: path).deletingLastPathComponent()
        let temporary = "\(path).new-\(UInt32.random(in: 0 ... .max))"
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            // For its owner alone before the first byte is in it.
            guard
                FileManager.default.createFile(
                    atPath: temporary,
                    contents: Data(),
                    attributes: [.posixPermissions: 0o600]
                )
            else { throw PreferenceError(.file, message: "'\(temporary)' cannot be made.") }
            try encoder.encode(all).write(to: URL(filePath: temporary))
            try FileSystem.synchronize(temporary)
            try FileSystem.replace(path, with: temporary)
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw PreferenceError(.file, message: "The preferences '\(path)' cannot be written: \(error)")
        }
    }

    public func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

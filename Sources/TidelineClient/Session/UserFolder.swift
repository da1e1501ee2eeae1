// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder of the user's configuration: what must not lie in a store file lies there.
public enum UserFolder {
    /// `$XDG_CONFIG_HOME/tideline` or `~/.config/tideline` on Linux, `Application Support/Tideline` on Apple's platforms.
    public static var path: String {
        #if os(Linux)
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/tideline" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.config/tideline"
        #else
        let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (base?.path ?? NSHomeDirectory()) + "/Tideline"
        #endif
    }

    /// Makes a folder in it that its owner alone can read, unless it is there.
    ///
    /// - Returns: its path.
    /// - Throws: ``ClientError/Code/file``.
    public static func make(_ name: String) throws(ClientError) -> String {
        let path = path + "/" + name
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ClientError(.file, "The folder \(path) cannot be made.", advice: "Make its parent writable for you.")
        }
        return path
    }
}

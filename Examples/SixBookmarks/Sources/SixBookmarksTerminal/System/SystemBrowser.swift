// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The browser that the system has for web pages.
public enum SystemBrowser {
    /// Opens an address there, and does not wait for it.
    ///
    /// `BROWSER` names another program; else it is `open` on Apple's platforms and `xdg-open` elsewhere. The address goes as
    /// one argument, never through a shell.
    /// - Throws: ``CommandError`` where there is no such program.
    @MainActor
    public static func open(_ address: String) throws {
        let environment = ProcessInfo.processInfo.environment
        #if os(macOS)
        let usual = "open"
        #else
        let usual = "xdg-open"
        #endif
        let name = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? usual
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
        let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        guard let path = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw CommandError(
                "No browser was found: there is no program \"\(name)\". Name one in BROWSER, or open \(address) yourself."
            )
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file that `simulate --ledger` names: what is wrong with it is said before anything is run.
struct LedgerFile {
    let path: String

    /// What the file holds; `nil` where there is none yet, and one can be made.
    ///
    /// - Parameter decode: reads a ledger at a path.
    /// - Throws: ``CommandFailure`` for a file that is no ledger, and where none can be read or written.
    func read<Ledger>(_ decode: (String) throws -> Ledger?) throws -> Ledger? {
        // A ledger is written beside its place, so its folder must take a file also where the ledger is there.
        try FilePath.requireFolder(of: path)
        guard FilePath.exists(path) else { return nil }
        guard !FilePath.isFolder(path) else {
            throw CommandFailure("\(path) is a folder.", next: "Name a file with --ledger.")
        }
        guard FilePath.isReadable(path) else {
            throw CommandFailure(
                "The ledger \(path) cannot be read.",
                next: "Make it readable (chmod u+r), or name another file with --ledger."
            )
        }
        do {
            return try decode(path)
        } catch {
            throw CommandFailure(
                "\(path) is no ledger of such runs.",
                why: "It is another file, the ledger of other runs (seeds, --disk) or of another version, or cut off.",
                next: "Nothing was run. Name another file with --ledger: one that is not there is made."
            )
        }
    }

    /// Writes a ledger with `save`.
    ///
    /// - Throws: ``CommandFailure`` that names the file.
    func write(_ save: (String) throws -> Void) throws {
        do {
            try save(path)
        } catch {
            throw CommandFailure(
                "The ledger \(path) cannot be written.",
                why: SystemReason.text(error),
                next: "What was run since it was written last is not in it. Make room for it, or name another file."
            )
        }
    }
}

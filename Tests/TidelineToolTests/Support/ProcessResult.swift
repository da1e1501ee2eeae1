// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a process printed and how it ended.
struct ProcessResult: Sendable, CustomStringConvertible {
    /// The exit status; for a process ended by a signal, 128 and the signal's number.
    var status: Int32
    var output: String
    var errors: String

    var description: String { "status \(status)\n\(output)\(errors)" }

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

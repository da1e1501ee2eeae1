// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads a password: from standard input for programs, from the terminal without echo for people.
enum PasswordInput {
    /// Whether a person sits at the terminal and can be asked.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 }

    /// - Parameters:
    ///   - fromStandardInput: whether `--password-stdin` was given: the first line is the password.
    ///   - prompt: what a person is asked.
    ///   - isNew: whether the password is chosen now, so that a person types it twice.
    /// - Throws: ``CommandFailure`` when there is none, or the two differ; `CancellationError` as ``UnseenLine`` does.
    static func read(fromStandardInput: Bool, prompt: String, isNew: Bool = false) throws -> String {
        if fromStandardInput {
            guard let bytes = firstLine(), !bytes.isEmpty else {
                throw CommandFailure(
                    "No password came on standard input.",
                    next: "Send it as the first line: printf '%s\\n' \"$PASSWORD\" | tideline … --password-stdin"
                )
            }
            return try text(bytes)
        }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(
                "A password is needed, and there is no terminal to ask for it.",
                next: "Give --password-stdin and send the password as the first line of standard input."
            )
        }
        let password = try ask(prompt)
        guard !password.isEmpty else { throw CommandFailure("The password is empty.") }
        if isNew, try ask("Again: ") != password {
            throw CommandFailure("The two passwords differ.", next: "Run the command again.")
        }
        return password
    }

    private static func ask(_ prompt: String) throws -> String {
        guard let line = try UnseenLine.read(prompt) else { throw CommandFailure("No password was given.") }
        return try text(line)
    }

    /// The bytes of the first line of standard input, without its end; `nil` where there is nothing.
    private static func firstLine() -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            let byte = getchar()
            if byte == EOF, line.isEmpty { return nil }
            guard byte != EOF, byte != 0x0A else { break }
            line.append(UInt8(truncatingIfNeeded: byte))
        }
        if line.last == 0x0D { line.removeLast() }
        return line
    }

    /// - Throws: ``CommandFailure`` for bytes that are no text: read as well as may be, other bytes would be the same.
    private static func text(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                "The password is not text in UTF-8.",
                next: "Send it in UTF-8, from a terminal or a file with that encoding."
            )
        }
        return text
    }
}

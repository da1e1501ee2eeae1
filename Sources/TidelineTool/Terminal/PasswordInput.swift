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
    /// - Throws: ``CommandFailure`` when there is none, or the two differ.
    static func read(fromStandardInput: Bool, prompt: String, isNew: Bool = false) throws -> String {
        if fromStandardInput {
            guard let line = readLine(strippingNewline: true), !line.isEmpty else {
                throw CommandFailure(
                    "No password came on standard input.",
                    next: "Send it as the first line: printf '%s\\n' \"$PASSWORD\" | tideline … --password-stdin"
                )
            }
            return line
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

    /// What is typed at the terminal; Ctrl-C ends the program, with the terminal as it was.
    private static func ask(_ prompt: String) throws -> String {
        var before = termios()
        let isTerminal = unsafe tcgetattr(STDIN_FILENO, &before) == 0
        var silent = before
        // Each byte comes at once, and Ctrl-C as a byte too: as a signal it would leave the terminal without echo.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        if isTerminal { _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) }
        StandardStream.error.write(prompt)
        var line = UnseenLine()
        var end: UnseenLine.End?
        while end == nil { end = line.type(nextByte()) }
        if isTerminal { _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        StandardStream.error.write("\n")
        switch end {
        case .line(let text): return text
        case .nothing, nil: throw CommandFailure("No password was given.")
        case .interrupted:
            // Whoever started the program sees that it was interrupted: status 130 in a shell.
            _ = signal(SIGINT, SIG_DFL)
            _ = raise(SIGINT)
            exit(130)
        }
    }
}

/// The next byte of standard input; `nil` at its end.
private func nextByte() -> UInt8? {
    while true {
        var byte: UInt8 = 0
        let count = unsafe read(STDIN_FILENO, &byte, 1)
        if count < 0, errno == EINTR { continue }
        return count == 1 ? byte : nil
    }
}

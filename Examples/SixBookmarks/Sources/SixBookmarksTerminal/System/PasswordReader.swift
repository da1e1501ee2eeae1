// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads a password from standard input: the first line of a pipe, or typed unseen at a terminal.
public enum PasswordReader {
    /// The line, or `nil` at the end of the input; Ctrl-C ends the program, with the terminal as it was.
    public static func read() -> String? {
        var before = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine() }
        var unseen = before
        // Each byte comes at once, and Ctrl-C as a byte too: as a signal it would leave the terminal without echo.
        unseen.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        unsafe _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen)
        FileHandle.standardError.write(Data("Password: ".utf8))
        var line = UnseenLine()
        var end: UnseenLine.End?
        while end == nil { end = line.type(nextByte()) }
        unsafe _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        FileHandle.standardError.write(Data("\n".utf8))
        switch end {
        case .line(let line): return line
        case .nothing, nil: return nil
        case .interrupted:
            // Whoever started the program sees that it was interrupted: status 130 in a shell.
            signal(SIGINT, SIG_DFL)
            raise(SIGINT)
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

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
    /// The line, or `nil` at the end of the input.
    public static func read() -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        FileHandle.standardError.write(Data("Password: ".utf8))
        var before = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine() }
        var unseen = before
        unseen.c_lflag &= ~tcflag_t(ECHO)
        unsafe _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen)
        defer {
            unsafe _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return readLine()
    }
}

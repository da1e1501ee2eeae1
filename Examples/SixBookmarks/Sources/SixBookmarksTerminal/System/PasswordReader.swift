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
    /// What ends the program while it waits for the line: Ctrl-C and Ctrl-\, `kill`, and a terminal that is closed.
    private static let endings = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    /// How the terminal was.
    ///
    /// Written before the handler of signals is in place, which reads it later.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// The line, or `nil` at the end of the input.
    ///
    /// At a terminal its own keys edit the line, and whatever ends the program meanwhile, it shows again what is typed.
    /// Ctrl-Z does not stop the program: a shell would get the terminal without its echo.
    public static func read() -> String? {
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, before) == 0 else { return readLine() }
        let actions = endings.map { number in
            let action = signal(number) { number in
                // Only calls that a handler of signals may make. The signal comes once more when this has returned.
                _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, PasswordReader.before)
                _ = signal(number, SIG_DFL)
                _ = raise(number)
            }
            return (number, action)
        }
        let stop = signal(SIGTSTP, SIG_IGN)
        var unseen = unsafe before.pointee
        unseen.c_lflag = unseen.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
        // The key that takes a character back takes all of its bytes.
        unseen.c_iflag |= tcflag_t(IUTF8)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen)
        FileHandle.standardError.write(Data("Password: ".utf8))
        let line = readLine()
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, before)
        _ = signal(SIGTSTP, stop)
        for (number, action) in actions { _ = signal(number, action) }
        return line
    }
}

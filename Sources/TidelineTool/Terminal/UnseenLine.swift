// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A line that is typed unseen at a terminal.
enum UnseenLine {
    /// What ends the program while it waits for the line: Ctrl-C and Ctrl-\, `kill`, and a terminal that is closed.
    private static let endings = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    /// How the terminal was.
    ///
    /// Written before the handler of signals is in place, which reads it later.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// Reads a line without echo; whatever ends the program meanwhile, the terminal shows again what is typed.
    ///
    /// The terminal's own keys edit the line. Ctrl-Z does not stop the program: a shell would get the terminal without its echo.
    ///
    /// - Parameter prompt: asked on standard error.
    /// - Returns: the line; `nil` at the end of the input.
    static func read(_ prompt: String) -> String? {
        guard unsafe tcgetattr(STDIN_FILENO, before) == 0 else {
            StandardStream.error.write(prompt)
            return readLine()
        }
        let actions = endings.map { number in
            let action = signal(number) { number in
                // Only calls that a handler of signals may make. The signal comes once more when this has returned.
                _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, UnseenLine.before)
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
        StandardStream.error.write(prompt)
        let line = readLine()
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, before)
        _ = signal(SIGTSTP, stop)
        for (number, action) in actions { _ = signal(number, action) }
        return line
    }
}

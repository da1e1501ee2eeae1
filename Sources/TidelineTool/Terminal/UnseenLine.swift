// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A line that is typed unseen at a terminal.
enum UnseenLine {
    private enum End {
        case line([UInt8]?)
        case signal(Int32)
    }

    /// What ends the program while it waits for the line: Ctrl-C and Ctrl-\, `kill`, and a terminal that is closed.
    private static let endings = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
    /// Ctrl-Z, and that the program goes on.
    private static let pauses = [SIGTSTP, SIGCONT]

    /// A pipe into which signals are written, a byte each: the wait for the line ends, whoever took the signal.
    ///
    /// Made before a handler of signals is in place, which reads it later.
    private static let bell: (end: Int32, start: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()

    /// One question at a time.
    private static let turn = Mutex(())
    /// Whether one stands, and signals are for it.
    private static let stands = Mutex(false)

    /// Reads a line without echo; whatever ends the program meanwhile, the terminal shows again what is typed.
    ///
    /// The terminal's own keys edit the line. After Ctrl-Z, or when the program goes on, it is asked again.
    ///
    /// - Parameter prompt: asked on standard error.
    /// - Returns: the line; `nil` at the end of the input.
    /// - Throws: `CancellationError` when Ctrl-C or SIGTERM came, and the work in which it is asked tidies up.
    static func read(_ prompt: String) throws -> [UInt8]? {
        var before = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0, bell.end >= 0 else {
            throw CommandFailure("The terminal cannot be asked for the password.")
        }
        return try turn.withLock { _ in
            while true {
                switch ask(prompt, before) {
                case .line(let line): return line
                case .signal(SIGCONT): continue
                case .signal(SIGTSTP): take(SIGTSTP)
                case .signal(let number):
                    if Interruption.cancel(after: number) {
                        StandardStream.error.write("\n")
                        throw CancellationError()
                    }
                    take(number)
                    exit(128 + number)
                }
            }
        }
    }

    /// Gives a signal that was taken elsewhere to a question that stands: the terminal is put in order first.
    ///
    /// - Returns: whether one stands, which does the rest.
    static func interrupt(by number: Int32) -> Bool {
        stands.withLock { stands in
            if stands { ring(number) }
            return stands
        }
    }

    private static func ask(_ prompt: String, _ before: termios) -> End {
        _ = rung()
        stands.withLock { $0 = true }
        let actions = (endings + pauses).map { number in (number, signal(number) { UnseenLine.ring($0) }) }
        var (before, unseen) = (before, before)
        unseen.c_lflag = unseen.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
        // The key that takes a character back takes all of its bytes.
        unseen.c_iflag |= tcflag_t(IUTF8)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen)
        LastLine.ask(prompt)
        var end = wait()
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        for (number, action) in actions { _ = signal(number, action) }
        stands.withLock { $0 = false }
        // One that came with the line is not lost.
        if case .line = end, let number = rung(), endings.contains(number) { end = .signal(number) }
        if case .line = end { LastLine.endQuestion(isAnswered: true) } else { LastLine.endQuestion(isAnswered: false) }
        return end
    }

    /// Waits for the line or a signal.
    private static func wait() -> End {
        var line: [UInt8] = []
        while true {
            var ends = [bell.end, STDIN_FILENO].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if unsafe poll(&ends, nfds_t(ends.count), -1) < 0 { continue }
            if let number = rung() { return .signal(number) }
            // What cannot be waited for, as `/dev/tty` on some systems, is read.
            guard ends[1].revents != 0 else { continue }
            var part = [UInt8](repeating: 0, count: 1024)
            let count = unsafe systemRead(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            line += part.prefix(max(0, count))
            let isWhole = line.last == UInt8(ascii: "\n")
            if isWhole { line.removeLast() }
            guard isWhole || count <= 0 else { continue }
            return .line(isWhole || !line.isEmpty ? line : nil)
        }
    }

    /// Only calls that a handler of signals may make.
    private static func ring(_ number: Int32) {
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe systemWrite(bell.start, &byte, 1)
        errno = error
    }

    /// Takes what was rung: of several signals one that ends the program.
    private static func rung() -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe systemRead(bell.end, &bytes, bytes.count)
        let numbers = bytes.prefix(max(0, count)).map { Int32($0) }
        return numbers.first(where: endings.contains) ?? numbers.first
    }

    /// Lets a signal do what it does to a program that has no handler; threads of a pool block it.
    private static func take(_ number: Int32) {
        let action = signal(number, SIG_DFL)
        var one = sigset_t()
        _ = unsafe sigemptyset(&one)
        _ = unsafe sigaddset(&one, number)
        var mask = sigset_t()
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &one, &mask)
        _ = raise(number)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        _ = signal(number, action)
    }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

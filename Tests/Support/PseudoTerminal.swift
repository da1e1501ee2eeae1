// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
public import Foundation
import Glibc

/// A terminal that nobody sits at: a program reads what a test types, and the test sees whether it would be shown.
public final class PseudoTerminal {
    /// What a program has as its standard input.
    public let device: FileHandle
    private let keyboard: FileHandle
    /// `TIOCSPTLCK` and `TIOCGPTN` of `asm-generic/ioctls.h`, which Swift does not import: macros of macros.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// A terminal as it is when a shell starts a program.
    public init() throws {
        let end = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard end >= 0 else { throw CocoaError(.fileReadUnknown) }
        keyboard = FileHandle(fileDescriptor: end, closeOnDealloc: true)
        var (number, lock) = (Int32(0), Int32(0))
        guard unsafe ioctl(end, Self.unlock, &lock) == 0, unsafe ioctl(end, Self.getNumber, &number) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        let descriptor = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        device = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Types keys.
    public func type(_ text: String) throws { try keyboard.write(contentsOf: Data(text.utf8)) }

    /// Whether what is typed is shown.
    public var echoes: Bool {
        var settings = termios()
        guard unsafe tcgetattr(device.fileDescriptor, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Starts a program at the terminal, types a line when it asks for something, and waits for its end.
    ///
    /// - Returns: what it wrote to standard error, and its exit status.
    public func answer(
        _ process: Process,
        at prompt: String,
        with lines: [String]
    ) throws -> (asked: String, status: Int32) {
        let errors = try start(process)
        var asked = ""
        for line in lines {
            asked += text(errors, until: prompt)
            try type(line)
        }
        asked += text(errors, until: nil)
        process.waitUntilExit()
        return (asked, process.terminationStatus)
    }

    /// Starts a program at the terminal, sends it a signal when it asks for something, and waits for its end.
    ///
    /// - Parameters:
    ///   - prompt: what it asks, on standard error.
    ///   - typed: what is typed before.
    /// - Returns: what it wrote to standard error until it asked, whether the terminal showed what was typed then, and
    ///   the exit status as a shell has it.
    public func end(
        _ process: Process,
        by number: Int32,
        at prompt: String,
        after typed: String
    ) throws -> (asked: String, echoed: Bool, status: Int32) {
        let errors = try start(process)
        let asked = text(errors, until: prompt)
        let echoed = echoes
        try type(typed)
        _ = kill(process.processIdentifier, number)
        process.waitUntilExit()
        let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        return (asked, echoed, process.terminationStatus + signal)
    }

    /// Runs a program that writes no more than a screen to the terminal.
    ///
    /// - Parameter last: what stands in it last.
    /// - Returns: what it wrote to standard output, lines ending as terminals have them, and its exit status.
    public func screen(of process: Process, until last: String) throws -> (shown: String, status: Int32) {
        _ = try start(process, output: device)
        process.waitUntilExit()
        return (shown(until: last), process.terminationStatus)
    }

    /// Starts a program that has the terminal for all: what it reads, what it writes and its errors.
    public func seat(_ process: Process) throws {
        process.standardOutput = device
        process.standardError = device
        try begin(process) {}
    }

    /// What the terminal shows from here until a text has come, or nothing comes for a minute; lines end as terminals have
    /// them.
    public func shown(until last: String) -> String {
        var shown = Data()
        var keys = pollfd(fd: keyboard.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while !String(decoding: shown, as: UTF8.self).contains(last), unsafe poll(&keys, 1, 60_000) == 1 {
            shown += keyboard.availableData
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// - Returns: what the program writes to standard error.
    private func start(_ process: Process, output: FileHandle = .nullDevice) throws -> Pipe {
        process.standardOutput = output
        return try begin(process) {
            let errors = Pipe()
            process.standardError = errors
            return errors
        }
    }

    private func begin<Pipes>(_ process: Process, _ connect: () throws -> Pipes) throws -> Pipes {
        process.standardInput = device
        // A program begins with the signals blocked that its starter blocks; a shell blocks none, threads of a pool do.
        var (none, before) = (sigset_t(), sigset_t())
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try process.begin(connect)
    }

    /// What comes, to its end or until a text has come.
    private func text(_ pipe: Pipe, until prompt: String?) -> String {
        var text = ""
        while prompt.map({ !text.contains($0) }) ?? true {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }
}
#endif

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

    /// Starts a program at the terminal, interrupts it when it asks for something, and waits for its end.
    ///
    /// - Parameters:
    ///   - prompt: what it asks, on standard error.
    ///   - typed: what is typed before Ctrl-C.
    /// - Returns: what it wrote to standard error until it asked, whether the terminal showed what was typed then, and
    ///   the exit status as a shell has it.
    public func interrupt(
        _ process: Process,
        at prompt: String,
        after typed: String
    ) throws -> (asked: String, echoed: Bool, status: Int32) {
        let errors = Pipe()
        process.standardInput = device
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        var asked = ""
        while !asked.contains(prompt) {
            let data = errors.fileHandleForReading.availableData
            if data.isEmpty { break }
            asked += String(decoding: data, as: UTF8.self)
        }
        let echoed = echoes
        // The line break is for a program that would wait for one.
        try type(typed + "\u{3}\n")
        process.waitUntilExit()
        let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        return (asked, echoed, process.terminationStatus + signal)
    }
}
#endif

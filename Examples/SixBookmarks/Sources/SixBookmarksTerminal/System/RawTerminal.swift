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

/// The terminal of this process: keys unbuffered, the whole screen, and everything as it was at the end.
///
/// Used from the main actor but for the reading, which has a thread of its own.
@MainActor
public final class RawTerminal: Surface {
    private let text: ANSIText
    private var before: termios?
    private var last: Frame?
    private var resizing: (any DispatchSourceSignal)?
    private var ending: [any DispatchSourceSignal] = []

    /// Whether a person sits at both ends.
    public nonisolated static var isInteractive: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" } ?? false
    }

    /// Takes the terminal over; `NO_COLOR` in the environment does without colours.
    ///
    /// Source: https://no-color.org
    public init() {
        let environment = ProcessInfo.processInfo.environment
        text = ANSIText(hasColours: environment["NO_COLOR"]?.isEmpty ?? true)
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        before = settings
        unsafe cfmakeraw(&settings)
        unsafe _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        // The screen beside the one with the shell's lines.
        write("\u{1B}[?1049h\u{1B}[2J")
    }

    /// Reads keys until the input ends, and hears when the size changes or the process is to end.
    public func listen(_ send: @escaping @Sendable (TerminalApp.Event) -> Void) {
        Thread {
            var parser = KeyParser()
            var bytes = [UInt8](repeating: 0, count: 1024)
            while true {
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, 1024) }
                guard count > 0 else {
                    if count < 0, errno == EINTR { continue }
                    break
                }
                for key in parser.keys(Array(bytes[..<count])) { send(.key(key)) }
            }
            send(.key(.interrupt))
        }.start()
        resizing = hear(SIGWINCH) { send(.redraw) }
        ending = [SIGTERM, SIGHUP, SIGINT].map { hear($0) { send(.key(.interrupt)) } }
    }

    /// Gives the terminal back.
    public func restore() {
        guard var settings = before else { return }
        before = nil
        write("\u{1B}[?25h\u{1B}[?1049l")
        unsafe _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    public func show(_ frame: Frame) {
        write(text.text(Layout(frame, size)))
    }

    private var size: ScreenSize {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return ScreenSize(columns: 80, rows: 24)
        }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    private func hear(_ number: Int32, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        // The source hears it; by itself it would end the process and leave the terminal as it is.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

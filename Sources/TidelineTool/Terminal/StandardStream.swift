// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One of the process's standard streams, written without buffering.
enum StandardStream: Sendable {
    case output, error

    private var descriptor: Int32 {
        switch self {
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }

    /// Whether a person is looking at it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The number of columns of the terminal, 80 where it does not say.
    var width: Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether colours may be used: on a terminal, unless `NO_COLOR` says otherwise or the terminal is dumb.
    ///
    /// Source: no-color.org: present and not an empty string, regardless of its value.
    var allowsColour: Bool {
        guard isTerminal else { return false }
        if let value = unsafe getenv("NO_COLOR"), unsafe value.pointee != 0 { return false }
        if let terminal = unsafe getenv("TERM"), unsafe String(cString: terminal) == "dumb" { return false }
        return true
    }

    /// Whether output was lost, of which the person was told; the process has not done what was asked then.
    static var isOutputLost: Bool { lost.load(ordering: .acquiring) }

    private static let lost = Atomic(false)

    /// Writes whole lines, above what is on the last one of the terminal.
    ///
    /// Silent where the reader has gone, as `head` does, and where nobody can be told of a failure. When other output is
    /// lost, as on a full disk, the person is told once, and work that goes on until Ctrl-C ends.
    func write(_ text: String) {
        let number = LastLine.above(self) { put(text) }
        guard self == .output, number != 0, number != EPIPE else { return }
        guard !Self.lost.exchange(true, ordering: .acquiringAndReleasing) else { return }
        CommandFailure("The output cannot be written: \(unsafe String(cString: strerror(number))).").write()
        Interruption.cancel()
    }

    /// Writes the whole text, whatever is on the last line.
    ///
    /// - Returns: 0, or the number of the error after which nothing more was written.
    func put(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                let written = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
                if written >= 0 {
                    unsafe rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    // Another program that has the same terminal or pipe may have made it one that does not wait.
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&room, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
    /// The address of the first element that is left.
    fileprivate var baseAddress: UnsafeRawPointer? {
        unsafe base.baseAddress.map { unsafe UnsafeRawPointer($0 + startIndex) }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

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

    /// Writes the whole text; gives up silently where the reader has gone, as `head` does.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                let written = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    return
                }
                unsafe rest = rest.dropFirst(written)
            }
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

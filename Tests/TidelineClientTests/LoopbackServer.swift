// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import Synchronization

/// Listens on a port of loopback, reads a request, and answers each connection with the same bytes.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let isClosed = Mutex(false)

    /// - Parameters:
    ///   - answer: `nil` to say nothing.
    ///   - staysOpen: whether the connection stays open after the answer.
    ///   - isReset: whether the connection is reset after the answer, as by a machine that starts again.
    ///   - again: told when another request, whose content ends with a brace, has come whole over the connection that stays
    ///     open; nothing else is accepted before.
    init(
        _ answer: String?,
        staysOpen: Bool = false,
        isReset: Bool = false,
        again: (@Sendable () -> Void)? = nil
    ) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, size) }
        }
        guard isBound == 0, listen(listener, 8) == 0 else { throw CocoaError(.fileReadUnknown) }
        var length = size
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(listener, $0, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        let bytes = answer.map { Array($0.utf8) }
        // The thread alone closes what it uses: the number of a descriptor that another closes may by then be the
        // listener of another test, whose connections this one would answer.
        Thread.detachNewThread {
            var open: [Int32] = []
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = unsafe recv(connection, &request, request.count, 0)
                if let bytes {
                    _ = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                    if isReset {
                        // Who closes without lingering says nothing of the end.
                        var none = linger(l_onoff: 1, l_linger: 0)
                        let size = socklen_t(MemoryLayout<linger>.size)
                        _ = unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &none, size)
                        Glibc.close(connection)
                        continue
                    }
                    if !staysOpen {
                        Glibc.shutdown(connection, Int32(SHUT_WR))
                        _ = unsafe recv(connection, &request, request.count, 0)
                        Glibc.close(connection)
                        continue
                    }
                }
                if let again {
                    var count = 0
                    repeat {
                        count = unsafe recv(connection, &request, request.count, 0)
                    } while count > 0 && request[count - 1] != UInt8(ascii: "}")
                    again()
                }
                open.append(connection)
            }
            for descriptor in open + [listener] { Glibc.close(descriptor) }
        }
    }

    deinit { close() }

    /// Refuses further connections, and ends those that stay open.
    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { shutdown(listener, Int32(SHUT_RDWR)) }
            isClosed = true
        }
    }
}
#endif

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
    init(_ answer: String?, staysOpen: Bool = false) throws {
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
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = unsafe recv(connection, &request, request.count, 0)
                if let bytes {
                    _ = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                    if staysOpen { continue }
                    Glibc.shutdown(connection, Int32(SHUT_WR))
                    _ = unsafe recv(connection, &request, request.count, 0)
                    Glibc.close(connection)
                }
            }
        }
    }

    deinit { close() }

    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed {
            shutdown(listener, Int32(SHUT_RDWR))
            Glibc.close(listener)
        }
    }
}
#endif

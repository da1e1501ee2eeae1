// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP connection that sends any bytes.
enum RawConnection {
    struct Failure: Error {}

    /// Sends text, ends sending, and reads until the other side closes or a second has passed.
    static func exchange(_ text: String, port: Int) throws -> String {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let socket = makeSocket(AF_INET, kind, 0)
        guard socket >= 0 else { throw Failure() }
        defer { close(socket) }
        var wait = timeval(tv_sec: 1, tv_usec: 0)
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure() }
        let bytes = Array(text.utf8)
        guard unsafe write(socket, bytes, bytes.count) == bytes.count else { throw Failure() }
        shutdown(socket, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(socket, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer.append(contentsOf: chunk[..<count])
        }
    }

    private static func makeSocket(_ domain: Int32, _ kind: Int32, _ protocolNumber: Int32) -> Int32 {
        socket(domain, kind, protocolNumber)
    }
}

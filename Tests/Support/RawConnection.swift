// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP connection that sends any bytes.
public enum RawConnection {
    /// The connection was refused, or its other side closed it.
    public struct Failure: Error {}

    /// Sends text and reads until the other side closes, or says nothing for a second after it began to answer.
    ///
    /// - Parameter endsSending: whether the other side is told that nothing follows.
    public static func exchange(_ text: String, port: Int, endsSending: Bool = true) throws -> String {
        let socket = try connection(port: port)
        defer { close(socket) }
        try send(text, socket)
        if endsSending { shutdown(socket, Int32(SHUT_WR)) }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(socket, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            if answer.isEmpty { limitWait(seconds: 1, socket) }
            answer.append(contentsOf: chunk[..<count])
        }
    }

    /// Sends text, takes the first byte of the answer, and the rest only when `body` has run.
    ///
    /// - Returns: the number of bytes of the answer.
    public static func readSlowly(_ text: String, port: Int, while body: () throws -> Void) throws -> Int {
        let socket = try connection(port: port, receiveBuffer: 4096)
        defer { close(socket) }
        try send(text, socket)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        total = unsafe read(socket, &chunk, 1)
        guard total == 1 else { throw Failure() }
        try body()
        while true {
            let count = unsafe read(socket, &chunk, chunk.count)
            guard count > 0 else { return total }
            total += count
        }
    }

    /// Sends text and takes the first byte of the answer, and no more.
    ///
    /// - Returns: the socket, for ``rest(of:)``; to be closed.
    public static func begin(_ text: String, port: Int) throws -> Int32 {
        let socket = try connection(port: port, receiveBuffer: 4096)
        try send(text, socket)
        var byte: UInt8 = 0
        guard unsafe read(socket, &byte, 1) == 1 else {
            close(socket)
            throw Failure()
        }
        return socket
    }

    /// Sends text on a connection that is then read with ``piece(of:)``.
    ///
    /// - Returns: the socket; to be closed.
    public static func open(_ text: String, port: Int) throws -> Int32 {
        let socket = try connection(port: port)
        try send(text, socket)
        return socket
    }

    /// What comes next; `nil` when nothing comes any more.
    public static func piece(of socket: Int32) -> String? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(socket, &chunk, chunk.count)
        return count > 0 ? String(decoding: chunk[..<count], as: UTF8.self) : nil
    }

    /// Takes what is left of an answer, until the other side closes.
    ///
    /// - Returns: the number of bytes.
    public static func rest(of socket: Int32) -> Int {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        while true {
            let count = unsafe read(socket, &chunk, chunk.count)
            guard count > 0 else { return total }
            total += count
        }
    }

    /// Sends a head and then a chunk every few milliseconds, or as soon as something comes.
    ///
    /// - Returns: the begin of the answer, and whether the other side closed within so many seconds.
    public static func sendWithoutEnd(_ head: String, port: Int, seconds: Int) throws -> (
        answer: String, isClosed: Bool
    ) {
        let socket = try connection(port: port)
        defer { close(socket) }
        try send(head, socket)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        while ContinuousClock.now < end {
            // What came before the other side closed is read all the same.
            let isOpen = (try? send("3\r\nabc\r\n", socket)) != nil
            #if canImport(Glibc)
            let count = unsafe recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            #else
            let count = unsafe recv(socket, &buffer, buffer.count, MSG_DONTWAIT)
            #endif
            if count > 0 { answer.append(contentsOf: buffer[..<count]) }
            if count == 0 || !isOpen { return (String(decoding: answer, as: UTF8.self), true) }
            var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&state, 1, 10)
        }
        return (String(decoding: answer, as: UTF8.self), false)
    }

    /// Sends text on a connection that was opened before.
    public static func send(_ text: String, _ socket: Int32) throws {
        let bytes = Array(text.utf8)
        #if canImport(Glibc)
        let count = unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        let count = unsafe Darwin.send(socket, bytes, bytes.count, 0)
        #endif
        guard count == bytes.count else { throw Failure() }
    }

    private static func connection(port: Int, receiveBuffer: Int32? = nil) throws -> Int32 {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let socket = makeSocket(AF_INET, kind, 0)
        guard socket >= 0 else { throw Failure() }
        // A machine with other work may be slow to answer; no test waits for less than what it is sure to get.
        limitWait(seconds: 60, socket)
        #if canImport(Darwin)
        var isQuiet: Int32 = 1
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
        #endif
        if var size = receiveBuffer {
            _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(socket)
            throw Failure()
        }
        return socket
    }

    private static func limitWait(seconds: Int, _ socket: Int32) {
        var wait = timeval(tv_sec: seconds, tv_usec: 0)
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func makeSocket(_ domain: Int32, _ kind: Int32, _ protocolNumber: Int32) -> Int32 {
        socket(domain, kind, protocolNumber)
    }
}

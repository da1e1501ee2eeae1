// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// T12: devices that listen for changes and hear none: the memory that each takes in the server's process.
enum IdleListeners {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        // The size is the number of devices here, 10,000 of them at most; the server takes 12,000.
        let count = min(rows, 10_000)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { throw WholeSet.Failed(status: 0) }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(files, &limit)
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: 1_000)
        let server = try ServerProcess(data: try ServerProcess.publish(path, folder: folder))
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        // The first takes what all share.
        sockets.append(try listen(server.port, number: 0))
        let before = server.residentBytes
        for number in 1...count { sockets.append(try listen(server.port, number: number)) }
        let bytes = Double(server.residentBytes - before) / Double(count)
        return [
            Figure(
                what: "memory of the server a device, \(count) listen",
                rows: count,
                seconds: bytes / 1000,
                limitName: "limit",
                limitSeconds: 20,
                unit: "kB",
                isRate: false,
                bound: 1,
                peakMegabytes: Double(server.residentBytes) / 1e6
            )
        ]
    }

    #if canImport(Glibc)
    private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let files = RLIMIT_NOFILE
    private static let stream = SOCK_STREAM
    #endif

    /// Connects from an address of loopback of its own, and waits for the first event.
    private static func listen(_ port: Int, number: Int) throws -> Int32 {
        let socket = socket(AF_INET, stream, 0)
        // One address has ports for less than so many connections to one server.
        var own = address(0, host: 0x7F00_0001 + UInt32(number / 5_000))
        var server = address(port, host: 0x7F00_0001)
        let request = Array("GET /odata/bench/$events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        guard socket >= 0, withSocketAddress(&own, { bind(socket, $0, $1) }) == 0,
            withSocketAddress(&server, { connect(socket, $0, $1) }) == 0,
            send(socket, request, request.count, 0) == request.count
        else { throw WholeSet.Failed(status: Int(errno)) }
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !text.contains("event: ready") {
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { throw WholeSet.Failed(status: number) }
            text += String(decoding: chunk[..<count], as: UTF8.self)
        }
        return socket
    }

    private static func address(_ port: Int, host: UInt32) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return address
    }

    private static func withSocketAddress(
        _ address: inout sockaddr_in,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

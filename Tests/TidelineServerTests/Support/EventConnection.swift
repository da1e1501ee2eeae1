// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TidelineTestSupport

/// A connection to the stream of events of a domain, read as it comes.
final class EventConnection: Sendable {
    struct Missing: Error, CustomStringConvertible {
        var text: String
        var description: String { "Not found. What came: \(text)" }
    }

    private let socket: Int32
    private let received = Mutex("")

    /// - Parameter lastID: what was told before.
    init(_ domain: String, port: Int, lastID: String? = nil, token: String? = nil) throws {
        var request = "GET /odata/\(domain)/$events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if let lastID { request += "Last-Event-ID: \(lastID)\r\n" }
        if let token { request += "Authorization: Bearer \(token)\r\n" }
        socket = try RawConnection.open(request + "\r\n", port: port)
    }

    deinit { close(socket) }

    /// Reads until a text has come, or the stream has ended.
    ///
    /// - Returns: what came up to its end; the next call goes on behind it.
    @discardableResult
    func read(until text: String) async throws -> String {
        try await OwnThread.run { [self] in
            while true {
                let found = received.withLock { received -> String? in
                    guard let range = received.range(of: text) else { return nil }
                    defer { received = String(received[range.upperBound...]) }
                    return String(received[..<range.upperBound])
                }
                if let found { return found }
                guard let piece = RawConnection.piece(of: socket) else { throw Missing(text: received.withLock { $0 }) }
                received.withLock { $0 += piece }
            }
        }
    }

    /// The identifier and the sets of the next event, which has that name.
    func event(_ name: String) async throws -> (id: String, data: String) {
        let text = try await read(until: "event: \(name)\ndata: ")
        let id = text.components(separatedBy: "id: ").last?.components(separatedBy: "\n").first ?? ""
        return (id, try await read(until: "}\n\n").trimmingCharacters(in: .newlines))
    }

    /// Sends another request, once the answer to the one before has ended.
    func send(_ request: String) async throws {
        try await OwnThread.run { [socket] in try RawConnection.send(request, socket) }
    }

    /// Hangs up.
    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation
import TidelineStorage

/// One session that listens to ``CommitNotice``, on a thread of its own, until nobody holds this.
///
///     connect ─► LISTEN ─► wait for the socket ─► call
///        ▲                        │ lost
///        └── wait, longer each ◄──┘                       after a loss once a call, for what was told meanwhile
final class CommitListener: StoreWatch {
    /// How long it waits before it connects again: the first time, and at most.
    private static let waits: (first: Int32, most: Int32) = (500, 30_000)
    /// How long a session may say nothing before it is asked whether it stands, in milliseconds.
    private static let silence: Int32 = 60_000

    /// The writing end of a pipe whose end, when it is closed, ends the thread.
    private let end: Int32

    init(conninfo: String, _ receive: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        end = ends[1]
        let ended = ends[0]
        let thread = Thread {
            Self.run(conninfo, ended: ended, receive)
            close(ended)
        }
        thread.name = "tideline-listen"
        thread.start()
    }

    deinit { close(end) }

    private static func run(_ conninfo: String, ended: Int32, _ receive: () -> Void) {
        guard ended >= 0 else { return }
        var wait = waits.first
        while true {
            if let connection = try? PostgresConnection(conninfo),
                (try? connection.execute("LISTEN \(CommitNotice.channel)")) != nil
            {
                // What was committed since the last session, or before this one, nobody was told of.
                receive()
                wait = waits.first
                if listen(connection, ended, receive) { return }
            }
            if isReady(ended, within: wait) { return }
            wait = min(wait * 2, waits.most)
        }
    }

    /// Calls for each notification until the session is lost.
    ///
    /// - Returns: whether it is because the thread is to end.
    private static func listen(_ connection: PostgresConnection, _ ended: Int32, _ receive: () -> Void) -> Bool {
        let socket = unsafe PQsocket(connection.handle)
        while true {
            var places = [
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&places, 2, silence)
            if places[0].revents != 0 { return true }
            if count == 0, (try? connection.execute("SELECT 1")) == nil { return false }
            guard unsafe PQconsumeInput(connection.handle) == 1, connection.isAlive else { return false }
            var isTold = false
            while let notice = unsafe PQnotifies(connection.handle) {
                unsafe PQfreemem(notice)
                isTold = true
            }
            if isTold { receive() }
        }
    }

    private static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var place = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        _ = unsafe poll(&place, 1, milliseconds)
        return place[0].revents != 0
    }
}

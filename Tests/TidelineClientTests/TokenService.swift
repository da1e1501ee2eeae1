// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient

/// A service whose access token changes with every renewal.
final class TokenService: Sendable {
    /// The calls that a token was to wait for have not come.
    struct Missing: Error {}

    private struct Hold {
        /// How many more calls are to be refused before a token is given.
        var refusals = 0
        var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    let signIns = Mutex(0)
    let refreshes = Mutex(0)
    let valid = Mutex("none")
    /// What the user is called.
    let name = Mutex("ann")
    let refreshToken = Mutex<String?>(nil)
    private let hold = Mutex(Hold())

    /// Gives no token before so many calls have been refused from now on: all of them want the same one.
    func holdTokens(until refusals: Int) { hold.withLock { $0.refusals = refusals } }

    func respond(_ request: HTTPRequest, _ body: [UInt8]) async throws -> TransportResponse {
        let text = String(decoding: body, as: UTF8.self)
        guard request.path == "/auth/shop/token" else {
            let valid = valid.withLock(\.self)
            guard request.headerFields[.authorization] == "Bearer \(valid)" else { return refuse() }
            return .json(#"{"value":[]}"#)
        }
        try await allAreRefused()
        if text.contains("refresh_token\":") {
            let count = refreshes.withLock {
                $0 += 1; return $0
            }
            let expected = refreshToken.withLock(\.self) ?? "?"
            guard text.contains("\"\(expected)\"") else { return .json("{}", status: 401) }
            return issue("r\(count)")
        }
        let count = signIns.withLock {
            $0 += 1; return $0
        }
        return text.contains("\"secret\"") ? issue("s\(count)") : .json("{}", status: 401)
    }

    private func refuse() -> TransportResponse {
        let isLast = hold.withLock {
            $0.refusals -= 1
            return $0.refusals <= 0
        }
        if isLast { release(.success(())) }
        return .status(401)
    }

    /// Waits for the calls that are to be refused first.
    ///
    /// - Throws: ``Missing`` when they have not come in a minute.
    private func allAreRefused() async throws {
        let deadline = Task {
            try await Task.sleep(for: .seconds(60))
            release(.failure(Missing()))
        }
        defer { deadline.cancel() }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let isOver = hold.withLock {
                if $0.refusals > 0 { $0.waiting.append(continuation) }
                return $0.refusals <= 0
            }
            if isOver { continuation.resume() }
        }
    }

    private func release(_ result: Result<Void, any Error>) {
        let waiting = hold.withLock { hold in
            let waiting = hold.waiting
            hold.waiting = []
            return waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    private func issue(_ name: String) -> TransportResponse {
        valid.withLock { $0 = "access-\(name)" }
        refreshToken.withLock { $0 = "refresh-\(name)" }
        let user = self.name.withLock(\.self)
        return .json(
            #"{"access_token":"access-\#(name)","token_type":"Bearer","expires_in":900,"refresh_token":"refresh-\#(name)","#
                + #""user":{"id":1,"name":"\#(user)","roles":[]}}"#
        )
    }
}

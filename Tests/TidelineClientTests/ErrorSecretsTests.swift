// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineTestSupport

/// What errors say: a person sends them on, and they stand in logs.
struct ErrorSecretsTests {
    private static let password = "correct-horse-battery"
    private static let access = "access-3f9a"
    private static let refresh = "refresh-77c1"

    /// All that an error says of itself, to a person and to a debugger.
    private static func texts(_ error: any Error) -> String {
        var dumped = ""
        dump(error, to: &dumped)
        return "\(error) \(String(reflecting: error)) \(dumped)"
    }

    /// What a service answers once somebody is signed in; `nil` breaks the connection.
    private static let answers: [TransportResponse?] =
        [300, 302, 400, 401, 403, 404, 408, 410, 412, 413, 429, 500, 502, 503, 511].map { .status($0) } + [
            .html(), .html(403), .json("{"), .json("{}", status: 400), nil,
        ]

    private static let tokens = TransportResponse.json(
        #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":900,"refresh_token":"\#(refresh)","#
            + #""user":{"id":1,"name":"ann","roles":[]}}"#
    )

    /// What fails at a host with these answers, step after step: the sign-in, a read, a stream, the end.
    private static func failures(
        _ host: String,
        _ signIn: TransportResponse?,
        _ later: TransportResponse?
    ) async throws -> [any Error] {
        let asked = Mutex(0)
        let transport = ScriptedTransport { request, _ in
            let isFirst = asked.withLock { count in
                count += 1
                return count == 1
            }
            guard let answer = isFirst ? signIn : later else {
                throw ClientError(.interrupted, "The connection ended.", advice: "Try again.")
            }
            return answer
        }
        let session = Session(address: try ServiceAddress("http://\(host)/odata/shop/"), transport: transport) { _ in
            Credentials(user: "ann", password: password)
        }
        let client = ODataClient(session: session)
        let request = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/odata/shop/Orders")
        let steps: [() async throws -> Void] = [
            { try await session.signIn(Credentials(user: "ann", password: password)) },
            { _ = try await client.get("Orders") },
            { try await session.stream(request) { _ in } },
            { try await session.register(Credentials(user: "ann", password: password)) },
            { _ = try await session.signOut() },
        ]
        var failures: [any Error] = []
        for step in steps {
            do { try await step() } catch { failures.append(error) }
        }
        return failures
    }

    @Test(.covers("SB-F093", "DA-77"))
    func `no error of the client holds a password or a token`() async throws {
        var count = 0
        // A machine of another name gets no password in the clear, and the error says so without it.
        for host in ["127.0.0.1:8080", "shop.example"] {
            for (signIn, later) in Self.answers.flatMap({ [($0, $0), (Self.tokens, $0)] }) {
                for error in try await Self.failures(host, signIn, later) {
                    count += 1
                    let said = Self.texts(error)
                    for secret in [Self.password, Self.access, Self.refresh, "Basic ", "Bearer "] {
                        #expect(!said.contains(secret), "\(said)")
                    }
                }
            }
        }
        // Each host and answer fails at least once.
        #expect(count >= 2 * Self.answers.count)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient

/// What a client makes of its transport's sign that a request was not sent: it is of the request that was asked for, and
/// not of another one on its way.
struct UnsentErrorTests {
    private let address: ServiceAddress
    private let refused = ClientError(.unreachable, "Nobody answers there.", advice: "", isUnsent: true)
    private let slow = ClientError(.timedOut, "No answer in time.", advice: "")

    init() throws { address = try ServiceAddress("http://127.0.0.1:8080/odata/shop/") }

    /// What a batch that is sent so fails of.
    private func failure(_ session: Session) async throws -> ClientError {
        let error = await #expect(throws: ClientError.self) { try await ODataClient(session: session).batch([]) }
        return try #require(error)
    }

    @Test func `the sign of a transport reaches who asked`() async throws {
        let transport = ScriptedTransport { [refused] _, _ in throw refused }
        #expect(try await failure(Session(address: address, transport: transport)) == refused)
        let unsure = ScriptedTransport { [slow] _, _ in throw slow }
        #expect(try await failure(Session(address: address, transport: unsure)) == slow)
    }

    @Test func `where the token for a request does not come, the request was not sent`() async throws {
        let service = TokenService()
        let secrets = MemorySecrets()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let first = Session(address: address, transport: transport, tokens: TokenStorage(client: "c", in: secrets)) {
            _ in
            Credentials(user: "ann", password: "secret")
        }
        try await first.signIn(Credentials(user: "ann", password: "secret"))
        let late = ScriptedTransport { [slow] _, _ in throw slow }
        let second = Session(address: address, transport: late, tokens: TokenStorage(client: "c", in: secrets))
        let error = try await failure(second)
        #expect(error.code == .timedOut && error.isUnsent)
        #expect(late.requests.map(\.path) == ["/auth/shop/token"])
    }

    @Test func `a sign-in that cannot be reached after a refusal leaves the request sent`() async throws {
        let transport = ScriptedTransport { [refused] request, _ in
            guard request.path == "/auth/shop/token" else { return .status(401) }
            throw refused
        }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "secret")
        }
        let error = try await failure(session)
        #expect(!error.isUnsent)
        #expect(transport.requests.map(\.path) == ["/odata/shop/$batch", "/auth/shop/token"])
    }

    @Test func `a redirect that leads to nobody leaves the request sent`() async throws {
        let transport = ScriptedTransport { [refused] request, _ in
            guard request.path == "/odata/shop/$batch" else { throw refused }
            return .status(307, [.location: "/elsewhere/$batch"])
        }
        let error = try await failure(Session(address: address, transport: transport))
        #expect(!error.isUnsent)
        #expect(transport.requests.map(\.path) == ["/odata/shop/$batch", "/elsewhere/$batch"])
    }

    @Test func `an answer whose rest does not come is an answer`() async throws {
        let transport = ScriptedTransport { [refused] request, _ in
            guard request.method == .post else { throw refused }
            return .json(#"{"responses":[],"@nextLink":"rest"}"#)
        }
        let error = try await failure(Session(address: address, transport: transport))
        #expect(!error.isUnsent)
        #expect(transport.requests.map(\.path) == ["/odata/shop/$batch", "/odata/shop/rest"])
    }
}

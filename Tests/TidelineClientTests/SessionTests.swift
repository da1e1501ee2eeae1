// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineTestSupport

/// Sign-in on demand.
struct SessionTests {
    let address: ServiceAddress

    init() throws { address = try ServiceAddress("http://127.0.0.1:8080/odata/shop/") }

    private func request() -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:8080", path: "/odata/shop/Orders")
    }

    @Test(.covers("DA-74", "SB-F091", "SB-W26"))
    func `the first call without a sign-in is refused, signs in once, is repeated once, and gives its data`()
        async throws
    {
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "secret")
        }
        let answer = try await session.send(request())
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"value":[]}"#)
        #expect(transport.requests.map(\.path) == ["/odata/shop/Orders", "/auth/shop/token", "/odata/shop/Orders"])
        #expect(service.signIns.withLock(\.self) == 1)
    }

    @Test(.covers("DA-76"))
    func `a sign-in that the user cancels is cancelled, a rejected one is asked for again, and nothing loops`()
        async throws
    {
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let asked = Mutex(0)
        let session = Session(address: address, transport: transport) { _ in
            switch asked.withLock({
                $0 += 1; return $0
            }) {
            case 1: throw CancellationError()
            case 2: nil
            case 3: Credentials(user: "ann", password: "wrong")
            default: Credentials(user: "ann", password: "secret")
            }
        }
        await #expect(throws: CancellationError.self) { try await session.send(request()) }
        await #expect { try await session.send(request()) } throws: { ($0 as? ClientError)?.code == .signInRequired }
        await #expect { try await session.send(request()) } throws: { ($0 as? ClientError)?.code == .wrongCredentials }
        #expect(service.signIns.withLock(\.self) == 1)
        #expect(try await session.send(request()).head.status.code == 200)
        #expect(asked.withLock(\.self) == 4)
        // Refused three times, one of them after a sign-in; then refused, signed in and repeated.
        #expect(transport.requests.count == 7)
    }

    @Test(.covers("DA-77"))
    func `a good sign-in is kept for the next run, and one that is rejected is not`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let secrets = MemorySecrets()
        let first = Session(address: address, transport: transport, tokens: TokenStorage(client: "c", in: secrets)) {
            _ in
            Credentials(user: "ann", password: "secret")
        }
        _ = try await first.send(request())
        let kept = try #require(secrets.secret("c"))
        #expect(!String(decoding: kept, as: UTF8.self).contains("secret"))
        // The next run signs in with what was kept, and nobody is asked.
        let second = Session(address: address, transport: transport, tokens: TokenStorage(client: "c", in: secrets))
        #expect(try await second.send(request()).head.status.code == 200)
        #expect(service.signIns.withLock(\.self) == 1)
        #expect(service.refreshes.withLock(\.self) == 1)
        // Revoked at the service, it is taken out of the store.
        service.refreshToken.withLock { $0 = nil }
        let third = Session(address: address, transport: transport, tokens: TokenStorage(client: "c", in: secrets))
        await #expect { try await third.send(request()) } throws: { ($0 as? ClientError)?.code == .signInRequired }
        #expect(secrets.secret("c") == nil)
    }

    @Test(.covers("DA-75", "SB-F091"))
    func `many calls that are refused lead to one sign-in, and each is repeated once`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "secret")
        }
        service.holdTokens(until: 50)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await session.send(request()).head.status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 50))
        #expect(service.signIns.withLock(\.self) == 1)
        #expect(transport.paths("/odata/shop/Orders").count == 100)
    }

    @Test(.covers("SB-F092", "SB-W26"))
    func `an access token that ended leads to one refresh however many wait`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "secret")
        }
        _ = try await session.send(request())
        service.valid.withLock { $0 = "expired" }
        service.holdTokens(until: 50)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await session.send(request()).head.status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 50))
        #expect(service.refreshes.withLock(\.self) == 1)
        #expect(service.signIns.withLock(\.self) == 1)
    }

    @Test func `a request is not repeated under another name than it was sent under`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "secret")
        }
        _ = try await session.send(request())
        let before = transport.paths("/odata/shop/Orders").count
        service.name.withLock { $0 = "ann2" }
        service.valid.withLock { $0 = "expired" }
        let error = await #expect(throws: ClientError.self) { try await session.send(request()) }
        #expect(error?.message == "The request was of ann, who is called ann2 now.")
        #expect(transport.paths("/odata/shop/Orders").count == before + 1)
        // From then on that is the user, who may send what is asked of them.
        #expect(try await session.userName() == "ann2")
        #expect(try await session.send(request()).head.status.code == 200)
        service.valid.withLock { $0 = "expired" }
        #expect(try await session.send(request()).head.status.code == 200)
    }

    @Test func `a wrong password is said once to all who wait`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let session = Session(address: address, transport: transport) { _ in Credentials(user: "ann", password: "wrong")
        }
        service.holdTokens(until: 20)
        let codes = await withTaskGroup(of: ClientError.Code?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await session.send(request())
                        return nil
                    } catch { return (error as? ClientError)?.code }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .wrongCredentials, count: 20))
        #expect(service.signIns.withLock(\.self) == 1)
    }

    @Test(.covers("OD-1.7.10"), arguments: ["https://127.0.0.1:8080/odata/shop/", "http://127.0.0.1:8080/odata/shop/"])
    func `a service that wants a name and a password with each request gets them`(text: String) async throws {
        let address = try ServiceAddress(text)
        // ann:säcret, in UTF-8.
        let right = "Basic YW5uOnPDpGNyZXQ="
        let transport = ScriptedTransport { request, _ in
            request.headerFields[.authorization] == right
                ? .json(#"{"value":[]}"#) : .status(401, [.wwwAuthenticate: "Basic realm=\"x\", charset=\"UTF-8\""])
        }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "säcret")
        }
        var request = request()
        request.scheme = address.scheme
        #expect(try await session.send(request).head.status == .ok)
        #expect(try await session.send(request).head.status == .ok)
        // The first was refused, repeated, and the next went with them at once; no token was asked for.
        #expect(transport.requests.map { $0.headerFields[.authorization] } == [nil, right, right])
        #expect(transport.requests.allSatisfy { $0.path == "/odata/shop/Orders" })
    }

    @Test func `a wrong password is not sent again, and none goes where others listen`() async throws {
        let refusing = ScriptedTransport { _, _ in .status(401, [.wwwAuthenticate: "Basic realm=\"x\""]) }
        let session = Session(address: address, transport: refusing) { _ in Credentials(user: "ann", password: "wrong")
        }
        let error = await #expect(throws: ClientError.self) { try await session.send(request()) }
        #expect(error?.code == .wrongCredentials)
        #expect(refusing.requests.count == 2)
        let far = try ServiceAddress("http://example.org/odata/shop/")
        let open = Session(address: far, transport: refusing) { _ in Credentials(user: "ann", password: "secret") }
        let plain = HTTPRequest(method: .get, scheme: "http", authority: "example.org", path: "/odata/shop/Orders")
        let insecure = await #expect(throws: ClientError.self) { try await open.send(plain) }
        #expect(insecure?.code == .insecure)
        #expect(
            refusing.requests.allSatisfy { $0.authority != "example.org" || $0.headerFields[.authorization] == nil }
        )
    }

    @Test func `a service of ours is asked for a token, whatever else it takes`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { request, body in
            let answer = try await service.respond(request, body)
            guard answer.head.status.code == 401 else { return answer }
            return .status(401, [.wwwAuthenticate: "Bearer realm=\"x\", Basic realm=\"x\""])
        }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "secret")
        }
        #expect(try await session.send(request()).head.status == .ok)
        #expect(service.signIns.withLock(\.self) == 1)
    }

    @Test func `a second refusal is not repeated`() async throws {
        let transport = ScriptedTransport { request, _ in
            request.path == "/auth/shop/token"
                ? .json(#"{"access_token":"a","refresh_token":"r","user":{"name":"ann"}}"#) : .status(401)
        }
        let session = Session(address: address, transport: transport) { _ in
            Credentials(user: "ann", password: "secret")
        }
        await #expect { try await session.send(request()) } throws: { ($0 as? ClientError)?.code == .signInRequired }
        #expect(transport.requests.map(\.path) == ["/odata/shop/Orders", "/auth/shop/token", "/odata/shop/Orders"])
    }

    @Test func `without credentials a refusal says that a sign-in is needed`() async throws {
        let transport = ScriptedTransport { _, _ in .status(401) }
        let session = Session(address: address, transport: transport)
        await #expect { try await session.send(request()) } throws: { ($0 as? ClientError)?.code == .signInRequired }
        #expect(transport.requests.count == 1)
    }

    @Test(.covers("SB-F022", "SB-S01"))
    func `a password does not travel in the clear to another machine`() async throws {
        let transport = ScriptedTransport { _, _ in .status(401) }
        let far = try ServiceAddress("http://example.org/odata/shop/")
        let session = Session(address: far, transport: transport)
        await #expect { try await session.signIn(Credentials(user: "ann", password: "secret")) } throws: {
            ($0 as? ClientError)?.code == .insecure
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `a refresh token goes to no other origin than its own`() async throws {
        let transport = ScriptedTransport { _, _ in .status(401) }
        let tokens = TokenStorage.memory()
        try tokens.save(StoredTokens(origin: "https://other.example", user: "ann", refreshToken: "r"))
        let session = Session(address: address, transport: transport, tokens: tokens)
        await #expect { try await session.send(request()) } throws: { ($0 as? ClientError)?.code == .signInRequired }
        #expect(transport.paths("/auth/shop/token").isEmpty)
    }

    /// A session whose renewal waits in `held`, and what was sent for tokens since it began.
    private func renewing(
        _ body: (Session, TokenStorage, _ open: @escaping @Sendable () -> Void) async throws -> Void
    ) async throws -> [String] {
        let service = TokenService()
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (opened, opens) = AsyncStream.makeStream(of: Void.self)
        let isHeld = Mutex(false)
        let asked = Mutex<[String]>([])
        let transport = ScriptedTransport { request, body in
            guard request.path != "/auth/shop/revoke" else { return .status(204) }
            if request.path == "/auth/shop/token" {
                let isRenewal = String(decoding: body, as: UTF8.self).contains("refresh_token\":")
                asked.withLock { $0.append(isRenewal ? "refresh" : "password") }
                if isRenewal, isHeld.withLock(\.self) {
                    begins.yield()
                    for await _ in opened { break }
                }
            }
            return try await service.respond(request, body)
        }
        let tokens = TokenStorage.memory()
        let session = Session(address: address, transport: transport, tokens: tokens)
        try await session.signIn(Credentials(user: "ann", password: "secret"))
        service.valid.withLock { $0 = "expired" }
        isHeld.withLock { $0 = true }
        asked.withLock { $0 = [] }
        let request = request()
        let call = Task { try? await session.send(request) }
        for await _ in begun { break }
        try await body(session, tokens) { opens.yield() }
        _ = await call.value
        return asked.withLock(\.self)
    }

    @Test func `a sign-in is done though a renewal is under way`() async throws {
        let asked = try await renewing { session, _, open in
            let signIn = Task { try await session.signIn(Credentials(user: "bob", password: "secret")) }
            // Time to join the renewal, which it must not.
            for _ in 0..<100 { await Task.yield() }
            open()
            try await signIn.value
        }
        #expect(asked == ["refresh", "password"])
    }

    @Test func `a sign-out is not undone by a renewal that is under way`() async throws {
        _ = try await renewing { session, tokens, open in
            let signOut = Task { try await session.signOut() }
            for _ in 0..<100 { await Task.yield() }
            open()
            let (wasSignedIn, kept) = (try await signOut.value, try tokens.load())
            #expect(wasSignedIn && kept == nil)
        }
    }

    @Test func `a call that waits for a renewal is told that a sign-in is required when somebody signs out`()
        async throws
    {
        let begun = AsyncStream.makeStream(of: Void.self)
        let service = TokenService()
        let transport = ScriptedTransport { request, body in
            guard request.path == "/auth/shop/token", service.signIns.withLock(\.self) == 1 else {
                return try await service.respond(request, body)
            }
            begun.continuation.yield()
            try await Task.sleep(for: .seconds(60))
            throw ClientError(.timedOut, "It was not ended.", advice: "")
        }
        let session = Session(address: address, transport: transport)
        try await session.signIn(Credentials(user: "ann", password: "secret"))
        service.valid.withLock { $0 = "expired" }
        let request = request()
        let call = Task { try await session.send(request) }
        for await _ in begun.stream { break }
        _ = try? await session.signOut()
        await #expect { try await call.value } throws: { ($0 as? ClientError)?.code == .signInRequired }
    }

    @Test(.covers("SB-F133"))
    func `a sign-out revokes the token and forgets it`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { request, body in
            request.path == "/auth/shop/revoke" ? .status(204) : try await service.respond(request, body)
        }
        let tokens = TokenStorage.memory()
        let session = Session(address: address, transport: transport, tokens: tokens)
        try await session.signIn(Credentials(user: "ann", password: "secret"))
        #expect(
            try tokens.load() == StoredTokens(origin: "http://127.0.0.1:8080", user: "ann", refreshToken: "refresh-s1")
        )
        #expect(try await session.signOut())
        #expect(try tokens.load() == nil)
        #expect(transport.paths("/auth/shop/revoke").count == 1)
        #expect(try await session.signOut() == false)
    }

    @Test(.covers("SB-F125"))
    func `a new user is registered, signed in and kept, and a refusal says why`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { request, body in
            guard request.path == "/auth/shop/register" else { return try await service.respond(request, body) }
            let text = String(decoding: body, as: UTF8.self)
            guard text.contains(#""username":"ann""#) else {
                return .json(#"{"error":{"code":"NameTaken","message":"This name is taken."}}"#, status: 409)
            }
            var answer = try await service.respond(
                HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/auth/shop/token"),
                body
            )
            answer.head.status = .created
            return answer
        }
        let tokens = TokenStorage.memory()
        let session = Session(address: address, transport: transport, tokens: tokens)
        let error = await #expect(throws: ClientError.self) {
            try await session.register(Credentials(user: "bob", password: "secret"))
        }
        #expect(error?.description.contains("This name is taken.") == true)
        #expect(try tokens.load() == nil)
        try await session.register(Credentials(user: "ann", password: "secret"))
        #expect(try tokens.load()?.user == "ann")
        #expect(try await session.userName() == "ann")
        // No password is asked for again.
        _ = try await session.send(request())
        #expect(service.signIns.withLock(\.self) == 1)
    }

    @Test func `the token goes to no redirect that leaves the origin`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { request, body in
            request.path == "/auth/shop/token"
                ? try await service.respond(request, body)
                : .status(307, [.location: "https://evil.example/odata/shop/Orders"])
        }
        let session = Session(address: address, transport: transport)
        try await session.signIn(Credentials(user: "ann", password: "secret"))
        await #expect { try await session.send(request()) } throws: { ($0 as? ClientError)?.code == .redirected }
        #expect(transport.requests.allSatisfy { $0.authority == "127.0.0.1:8080" })
    }

    @Test func `a redirect within the origin is followed, with the token`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { request, body in
            request.path == "/odata/shop/Orders"
                ? .status(308, [.location: "/odata/shop/Orders2"]) : try await service.respond(request, body)
        }
        let session = Session(address: address, transport: transport)
        try await session.signIn(Credentials(user: "ann", password: "secret"))
        #expect(try await session.send(request()).head.status.code == 200)
        #expect(transport.requests.last?.path == "/odata/shop/Orders2")
    }
}

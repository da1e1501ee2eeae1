// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import HTTPTypes

/// Who is signed in at a service, and the tokens that prove it.
///
/// Sign-in happens on demand: a 401 leads to one refresh, or one sign-in with the credentials that the provider gives,
/// however many calls wait for it; then each call is repeated once. An open domain never asks, and no token is sent.
/// Passwords and tokens never travel in the clear, but on loopback, and never to another origin. A service of another
/// maker that challenges for a name and a password with each request (Basic) gets them so; they are kept nowhere.
public actor Session {
    /// Gives the name and password when they are needed, or `nil` to leave the call refused.
    public typealias CredentialsProvider = @Sendable (ServiceAddress) async throws -> Credentials?

    public nonisolated let address: ServiceAddress
    private nonisolated let transport: any Transport
    let device: String?
    private let credentials: CredentialsProvider?
    private(set) var tokens: TokenStorage
    /// What the user was called before the last renewal, where that gave another name.
    private(set) var formerName: String?
    /// The value of `Authorization` that the last renewal gave.
    private var authorization: String?
    /// The renewal under way, shared by all calls that wait for it.
    private var renewal: Task<String, any Error>?
    /// How many renewals have ended, and how the last one did.
    private var renewals = 0
    private var lastRenewal: Result<String, any Error>?

    /// - Parameters:
    ///   - tokens: where the refresh token is kept.
    ///   - device: the name of this device, for the list of sign-ins at the service.
    ///   - credentials: asked when there is no refresh token that works.
    public init(
        address: ServiceAddress,
        transport: any Transport,
        tokens: TokenStorage = .memory(),
        device: String? = nil,
        credentials: CredentialsProvider? = nil
    ) {
        self.address = address
        self.transport = RedirectingTransport(base: transport)
        self.tokens = tokens
        self.device = device
        self.credentials = credentials
    }

    /// Sends a request with the access token there is, and once more after a 401.
    ///
    /// - Returns: the answer, of any status but 401.
    /// - Throws: ``ClientError``; `signInRequired` when nobody can be signed in.
    public nonisolated func send(_ request: HTTPRequest, body: [UInt8] = []) async throws -> TransportResponse {
        let (known, since) = try await ClientError.marking(isUnsent: true) { try await current() }
        let first = try await transport.send(try authorized(request, known), body: body)
        guard first.head.status.code == 401 else { return first }
        return try await ClientError.marking(isUnsent: false) {
            let renewed = try await renew(since: since, byPassword: Self.wantsPassword(first))
            try await requireSameName()
            try Task.checkCancellation()
            let second = try await transport.send(try authorized(request, renewed), body: body)
            guard second.head.status.code == 401 else { return second }
            guard renewed.hasPrefix("Basic ") else { throw ClientError.answer(second) }
            await forget(renewed)
            throw Self.wrongCredentials(401)
        }
    }

    /// Hands an answer with a status below 300 over while it comes, after a renewal where that is needed.
    ///
    /// - Throws: ``ClientError`` of another answer, and as ``send(_:body:)``; what `receive` throws.
    public nonisolated func stream(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws {
        let (known, since) = try await current()
        do {
            try await streamOnce(try authorized(request, known), receive)
        } catch let refused as RefusedStream where refused.response.head.status.code == 401 {
            let renewed = try await renew(since: since, byPassword: Self.wantsPassword(refused.response))
            try Task.checkCancellation()
            do {
                try await streamOnce(try authorized(request, renewed), receive)
            } catch let refused as RefusedStream {
                throw ClientError.answer(refused.response)
            }
        } catch let refused as RefusedStream {
            throw ClientError.answer(refused.response)
        }
    }

    /// - Throws: ``RefusedStream`` for a status of 300 or more.
    private nonisolated func streamOnce(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws {
        let refusal = RefusedAnswer()
        try await transport.stream(request) { piece in
            if !refusal.takes(piece) { try await receive(piece) }
        }
        if let response = refusal.response { throw RefusedStream(response: response) }
    }

    /// Signs a user in and keeps the refresh token.
    ///
    /// - Throws: ``ClientError`` with `wrongCredentials`, or `insecure` over plain HTTP to another machine.
    public func signIn(_ credentials: Credentials) async throws {
        try await runAlone { try await self.signInNow(credentials) }
    }

    /// Ends the sign-in: the service revokes the tokens, this machine forgets them, even when the service is not reached.
    ///
    /// - Returns: false when nobody was signed in.
    @discardableResult
    public func signOut() async throws -> Bool {
        // One under way would keep new tokens after these are gone.
        while let renewal {
            renewal.cancel()
            _ = try? await renewal.value
        }
        let kept = try tokens.load()
        try tokens.remove()
        authorization = nil
        guard let kept, kept.origin == address.origin else { return false }
        let response = try await post("revoke", TokenRequest(refreshToken: kept.refreshToken))
        guard response.head.status.kind == .successful || response.head.status.code == 401 else {
            throw ClientError.answer(response)
        }
        return true
    }

    /// Keeps the tokens elsewhere from now on, the present ones included.
    public func keepTokens(in storage: TokenStorage) throws {
        if let kept = try tokens.load() { try storage.save(kept) }
        tokens = storage
    }

    // MARK: Renewal

    func current() async throws -> (token: String?, since: Int) {
        let since = renewals
        if let authorization { return (authorization, since) }
        // A refresh token is at hand: asking for an access token first saves the refusal.
        guard let kept = try tokens.load(), kept.origin == address.origin else { return (nil, since) }
        return (try await renew(since: since, byPassword: false), renewals)
    }

    /// What a renewal gave that ended after `since`, or the one under way, or a new one.
    private func renew(since: Int, byPassword: Bool) async throws -> String {
        if renewals > since, let lastRenewal { return try lastRenewal.get() }
        return try await run { try await byPassword ? self.passwordNow() : self.renewNow() }
    }

    /// Whether a service takes a name and a password with each request, and no token.
    ///
    /// Source: RFC 9110, section 11.6.1; RFC 7617.
    private static func wantsPassword(_ response: TransportResponse) -> Bool {
        let challenges = response.head.headerFields[values: .wwwAuthenticate].joined(separator: ", ").lowercased()
        let schemes = challenges.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        return schemes.contains { $0 == "basic" || $0.hasPrefix("basic ") }
            && !schemes.contains { $0.hasPrefix("bearer") }
    }

    /// The name and the password as they go with each request.
    private func passwordNow() async throws -> String {
        guard address.isSecure else { throw insecure }
        guard let credentials, let given = try await credentials(address) else { throw signInRequired }
        // Where a name ends, the password begins.
        guard !given.user.contains(":") else { throw Self.wrongCredentials(401) }
        return "Basic " + Data("\(given.user):\(given.password)".utf8).base64EncodedString()
    }

    private func forget(_ refused: String) {
        if authorization == refused { authorization = nil }
    }

    /// Runs a renewal, or joins the one under way: single flight.
    ///
    /// The task is unstructured on purpose: it outlives a caller that is cancelled, because others wait for it.
    func run(_ body: @escaping @Sendable () async throws -> String) async throws -> String {
        if let renewal { return try await renewal.value }
        let task = Task {
            let result: Result<String, any Error>
            do {
                result = .success(try await body())
            } catch is CancellationError where Task.isCancelled {
                // Who signs out ended it: callers go on, and would take that word for their own end.
                result = .failure(signInRequired)
            } catch {
                result = .failure(error)
            }
            self.finish(result)
            return try result.get()
        }
        renewal = task
        return try await task.value
    }

    /// Runs what is more than a renewal after the one under way: who joined it would be told of success, and be another user.
    func runAlone(_ body: @escaping @Sendable () async throws -> String) async throws {
        while let renewal { _ = try? await renewal.value }
        _ = try await run(body)
    }

    private func finish(_ result: Result<String, any Error>) {
        renewal = nil
        renewals += 1
        lastRenewal = result
        authorization = try? result.get()
    }

    private func renewNow() async throws -> String {
        if let kept = try tokens.load(), kept.origin == address.origin {
            if let token = try await refresh(kept) { return token }
            // Another process may have rotated the token since it was read, or moved the store with its sign-in elsewhere.
            let newer = try tokens.load().flatMap { $0.origin == address.origin ? $0 : nil }
            if let newer, newer != kept, let token = try await refresh(newer) { return token }
            // What the service takes no more is not kept.
            if let newer, try tokens.load() == newer { try tokens.remove() }
            // A sign-in at the old address would take the place of the one at the new.
            guard try !isElsewhere() else { throw signInRequired }
        }
        guard let credentials, let given = try await credentials(address) else { throw signInRequired }
        return try await signInNow(given)
    }

    private var signInRequired: ClientError {
        ClientError(.signInRequired, "The service asks who you are.", advice: "Sign in.", status: 401)
    }

    /// Whether what is kept is a sign-in at another address.
    private func isElsewhere() throws -> Bool { try tokens.load().map { $0.origin != address.origin } ?? false }

    private func signInNow(_ credentials: Credentials) async throws -> String {
        let request = TokenRequest(
            grantType: "password",
            username: credentials.user,
            password: credentials.password,
            device: device
        )
        let response = try await post("token", request)
        switch response.head.status.code {
        case 200:
            formerName = nil
            return try keep(TokenAnswer(response))
        case 400, 401: throw Self.wrongCredentials(response.head.status.code)
        default: throw ClientError.answer(response)
        }
    }

    /// - Returns: `nil` when the service does not take the token any more.
    private func refresh(_ kept: StoredTokens) async throws -> String? {
        let request = TokenRequest(grantType: "refresh_token", refreshToken: kept.refreshToken)
        let response = try await post("token", request)
        switch response.head.status.code {
        case 200:
            let answer = try TokenAnswer(response)
            guard try !isElsewhere() else { throw signInRequired }
            formerName = answer.user.name == kept.user ? nil : kept.user
            return try keep(answer)
        case 400, 401: return nil
        default: throw ClientError.answer(response)
        }
    }

    /// The new refresh token is on disk before the access token is used: a crash in between costs nothing.
    func keep(_ answer: TokenAnswer) throws -> String {
        try tokens.save(
            StoredTokens(origin: address.origin, user: answer.user.name, refreshToken: answer.refreshToken)
        )
        return "Bearer \(answer.accessToken)"
    }

    func post(_ action: String, _ content: TokenRequest) async throws -> TransportResponse {
        guard address.isSecure else { throw insecure }
        let request = HTTPRequest(
            method: .post,
            scheme: address.scheme,
            authority: address.authority,
            path: address.authPath(action),
            headerFields: [.contentType: "application/json", .accept: "application/json"]
        )
        return try await transport.send(request, body: content.bytes())
    }

    private nonisolated func authorized(_ request: HTTPRequest, _ value: String?) throws -> HTTPRequest {
        guard let value else { return request }
        guard address.isSecure, request.scheme == address.scheme, request.authority == address.authority else {
            throw ClientError(.insecure, "The token must not go there.", advice: "Use an https address of the service.")
        }
        var request = request
        request.headerFields[.authorization] = value
        return request
    }
}

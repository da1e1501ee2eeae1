// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import TidelineAccounts
import TidelineModel
import TidelineService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `POST /auth/<domain>/token`, `/revoke` and, where a domain lets people in, `/register`.
struct SignInDoor {
    /// What comes in; what a grant does not need is left out.
    private struct Form: Decodable {
        var grant_type: String?
        var username: String?
        var password: String?
        var device: String?
        /// Which of the domain's own tables of users is meant.
        var directory: String?
        var refresh_token: String?
    }

    let accounts: Accounts
    let registry: DomainRegistry
    let pool: WorkerPool
    let passwordPool: WorkerPool
    let isSecure: Bool
    let reader: BodyReader
    let registration: UserRegistration
    let names: ServerNames

    private static let actions = ["token", "revoke", "register"]

    func respond(to request: Request, at address: RequestAddress, _ context: ConnectionContext) async throws -> Response
    {
        guard let name = address.domain, let action = address.rest, Self.actions.contains(String(action)) else {
            throw Refusal(
                .notFound,
                "NotFound",
                "Sign-in is at /auth/<domain>/token, sign-out at /auth/<domain>/revoke."
            )
        }
        guard request.method == .post else { throw Refusal.methodNotAllowed("POST") }
        guard isSecure || context.isLoopback else {
            throw Refusal.plainText
        }
        let type = request.headers[.contentType] ?? ""
        guard type.isEmpty || type.lowercased().hasPrefix("application/json") else {
            throw Refusal(.unsupportedMediaType, "UnsupportedMediaType", "Sign-in takes application/json.")
        }
        let domain = String(name)
        let registry = registry
        let loaded: LoadedDomain
        switch try await pool.run({ registry.lookup(domain) }) {
        case .unknown: throw Refusal.unknownDomain(name)
        case .broken: throw Refusal.brokenDomain
        case .loaded(let found): loaded = found
        }
        let body = try await reader.read(request, limit: 16 * 1024)
        guard let form = try? JSONDecoder().decode(Form.self, from: Data(body)) else {
            throw Refusal(.badRequest, "InvalidBody", "The body is not the JSON object that sign-in takes.")
        }
        do {
            switch action {
            case "token": return try await token(form, loaded)
            case "register": return try await register(form, loaded, request, context)
            default: return try await revoke(form, domain)
            }
        } catch let error as AccountsError {
            throw refusal(error, domain)
        }
    }

    private func token(_ form: Form, _ loaded: LoadedDomain) async throws -> Response {
        let accounts = accounts
        let domain = loaded.domain.name
        let pair: TokenPair
        switch form.grant_type {
        case "password":
            guard let name = form.username, let password = form.password else {
                throw Refusal(.badRequest, "InvalidBody", "The grant password takes username and password.")
            }
            let device = form.device
            let directory = try form.directory.map { try self.directory($0, of: loaded) } ?? loaded.directories.first
            pair = try await passwordPool.run {
                guard let directory else {
                    return try accounts.signIn(name, password: password, domain: domain, device: device)
                }
                return try accounts.signIn(name, password: password, directory: directory, device: device)
            }
        case "refresh_token":
            guard let token = form.refresh_token else {
                throw Refusal(.badRequest, "InvalidBody", "The grant refresh_token takes refresh_token.")
            }
            let directories = loaded.directories
            pair = try await pool.run { try accounts.refresh(token, domain: domain, directories: directories) }
        default:
            throw Refusal(.badRequest, "UnsupportedGrant", "The grant_type is password or refresh_token.")
        }
        return answer(pair, .ok)
    }

    private func register(
        _ form: Form,
        _ loaded: LoadedDomain,
        _ request: Request,
        _ context: ConnectionContext
    ) async throws -> Response {
        guard names.contains(request.head.authority) else { throw Refusal.strangeHost }
        guard !CrossSite.sent(request.head) else { throw Refusal.crossSite }
        guard let name = form.username, let password = form.password else {
            throw Refusal(.badRequest, "InvalidBody", "Registration takes username and password.")
        }
        guard registration.limit.admits(context.peer ?? "") else {
            throw Refusal(
                .tooManyRequests,
                "TooManyRegistrations",
                "From your address too many people register. Try again in a minute.",
                fields: [.retryAfter: "60"]
            )
        }
        let device = form.device
        let registration = registration
        let pair = try await passwordPool.run {
            try registration.register(name, password: password, device: device, in: loaded)
        }
        return answer(pair, .created)
    }

    private func answer(_ pair: TokenPair, _ status: HTTPResponse.Status) -> Response {
        Answer.bytes(
            Array(TokenAnswer.json(pair).utf8),
            type: "application/json",
            status: status,
            fields: [.cacheControl: "no-store"],
            isHead: false
        )
    }

    private func directory(_ name: String, of loaded: LoadedDomain) throws(Refusal) -> UserDirectory {
        guard let directory = loaded.directory(name) else {
            throw Refusal(.badRequest, "UnknownDirectory", "The domain has no directory of users of that name.")
        }
        return directory
    }

    private func revoke(_ form: Form, _ domain: String) async throws -> Response {
        guard let token = form.refresh_token else {
            throw Refusal(.badRequest, "InvalidBody", "Sign-out takes refresh_token.")
        }
        let accounts = accounts
        try await pool.run { try accounts.revoke(token, domain: domain) }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    private func refusal(_ error: AccountsError, _ domain: String) -> Refusal {
        switch error.code {
        case .locked:
            return Refusal.locked(error.retryAfter?.components.seconds ?? 30, error.message)
        case .invalidCredentials:
            return Refusal(
                .unauthorized,
                "InvalidCredentials",
                error.message,
                fields: [.wwwAuthenticate: "Bearer realm=\"\(domain)\""]
            )
        default:
            return Refusal(
                .unauthorized,
                "InvalidToken",
                error.message,
                fields: [.wwwAuthenticate: "Bearer realm=\"\(domain)\", error=\"invalid_token\""]
            )
        }
    }
}

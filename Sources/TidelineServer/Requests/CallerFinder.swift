// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel
import TidelineService

/// Finds out the domain of a request and who asks.
struct CallerFinder: Sendable {
    let sender: Sender
    let registry: DomainRegistry
    let pool: WorkerPool
    let names: ServerNames
    let devices: DeviceGate

    /// What the request says of its sender.
    ///
    /// - Throws: ``Refusal`` for credentials that are none, and for a name of the server that is not its own.
    func credentials(_ head: HTTPRequest, domain: Substring) throws(Refusal) -> Sender.Credentials {
        guard head.headerFields[.authorization] != nil || names.contains(head.authority) else {
            throw Refusal.strangeHost
        }
        return try sender.credentials(head.headerFields[.authorization], domain: domain)
    }

    /// What finds out the domain and who asks, on a thread of the pool; a password is looked at before.
    ///
    /// The device that asks is noted, or refused.
    func resolver(
        _ request: HTTPRequest,
        _ domain: String,
        _ credentials: Sender.Credentials,
        _ context: ConnectionContext
    ) async throws -> @Sendable () throws -> Caller {
        let registry = registry
        let sender = sender
        let devices = devices
        @Sendable func loaded() throws -> LoadedDomain {
            switch registry.lookup(domain) {
            case .unknown: throw Refusal.unknownDomain(domain[...])
            case .broken: throw Refusal.brokenDomain
            case .loaded(let loaded): return loaded
            }
        }
        var known: User?
        if case .password(let name, let password) = credentials {
            // No work for a domain that is not there.
            let found = try await pool.run(loaded)
            known = try await sender.user(name, password, of: found, isLoopback: context.isLoopback)
        }
        let user = known
        return {
            let found = try loaded()
            if let user = try user ?? sender.user(credentials, of: found) {
                try devices.pass(request, domain: domain, user: user.name)
                return Caller(loaded: found, user: user.context, name: user.name)
            }
            guard found.domain.isOpen else { throw sender.unauthorized(domain, isTokenInvalid: false) }
            try devices.pass(request, domain: domain, user: nil)
            return Caller(loaded: found, user: .anonymous, name: nil)
        }
    }
}

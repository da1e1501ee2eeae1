// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel
import TidelineService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds out who sends a request for data: by a token, or where the server takes that, by a name and a password.
///
/// Source: RFC 6750, section 2.1; RFC 7617.
struct Sender: Sendable {
    /// What the field `Authorization` holds.
    enum Credentials: Sendable {
        case none
        case token(String)
        case password(name: String, String)

        /// Whether a browser sends them by itself, also for a page of another site.
        var areAmbient: Bool {
            switch self {
            case .none, .password: true
            case .token: false
            }
        }
    }

    let accounts: Accounts
    /// A password takes a tenth of a second and 32 MiB.
    let passwordPool: WorkerPool
    let isSecure: Bool
    let takesBasic: Bool

    /// - Throws: ``Refusal`` for another scheme, and for what is no credentials of its scheme.
    func credentials(_ field: String?, domain: Substring) throws(Refusal) -> Credentials {
        guard let field, !field.isEmpty else { return .none }
        let parts = field.split(separator: " ", maxSplits: 1)
        let value = parts.count == 2 ? parts[1].trimmingPrefix { $0 == " " } : ""
        switch parts.first?.lowercased() {
        case "bearer":
            guard !value.isEmpty, value.utf8.count <= 256 else { throw unauthorized(domain, isTokenInvalid: true) }
            return .token(String(value))
        case "basic" where takesBasic:
            guard value.utf8.count <= 2048, let data = Data(base64Encoded: String(value)),
                let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
            else { throw wrongPassword(domain) }
            return .password(name: String(text[..<colon]), String(text[text.index(after: colon)...]))
        default: throw Refusal.otherScheme(domain: domain, takesBasic: takesBasic)
        }
    }

    /// The user of a token; `nil` for other credentials.
    func user(_ credentials: Credentials, of loaded: LoadedDomain) throws -> User? {
        guard case .token(let token) = credentials else { return nil }
        let domain = loaded.domain.name
        do {
            return try accounts.authenticate(token, domain: domain, directories: loaded.directories)
        } catch let error as AccountsError where error.code == .invalidToken {
            throw unauthorized(domain, isTokenInvalid: true)
        }
    }

    /// The user of a name and a password.
    ///
    /// - Parameter isLoopback: whether the request comes from this machine, where no one listens.
    func user(_ name: String, _ password: String, of loaded: LoadedDomain, isLoopback: Bool) async throws -> User {
        guard isSecure || isLoopback else { throw Refusal.plainText }
        let accounts = accounts
        let domain = loaded.domain.name
        do {
            return try await passwordPool.run {
                guard let directory = loaded.directories.first else {
                    return try accounts.authenticate(name, password: password, domain: domain)
                }
                return try accounts.authenticate(name, password: password, directory: directory)
            }
        } catch let error as AccountsError where error.code == .locked {
            throw Refusal.locked(error.retryAfter?.components.seconds ?? 30, error.message)
        } catch let error as AccountsError where error.code == .invalidCredentials {
            throw wrongPassword(domain)
        }
    }

    /// 401 with a challenge for each scheme that is taken.
    func unauthorized(_ domain: some StringProtocol, isTokenInvalid: Bool) -> Refusal {
        let refusal = Refusal.unauthorized(domain: domain, isTokenInvalid: isTokenInvalid)
        return takesBasic ? refusal.offeringBasic(domain) : refusal
    }

    private func wrongPassword(_ domain: some StringProtocol) -> Refusal {
        Refusal(.unauthorized, "InvalidCredentials", "The name or the password is wrong.").offeringBasic(domain)
    }
}

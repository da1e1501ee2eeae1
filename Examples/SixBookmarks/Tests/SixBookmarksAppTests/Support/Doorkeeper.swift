// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Synchronization
import TidelineClient
import TidelineModel
import TidelineService

/// The sign-in routes of a service, as small as they can be: names, passwords, tokens that can be revoked.
final class Doorkeeper: Sendable {
    private struct State {
        var made = 0
        var access: [String: String] = [:]
        var refresh: [String: String] = [:]
        var signIns = 0
        /// Of those who registered.
        var passwords: [String: String] = [:]
    }

    /// Who has no password has not registered yet.
    private let users: [String: (password: String?, context: UserContext)]
    private let state = Mutex(State())

    init(users: [String: (password: String?, context: UserContext)]) { self.users = users }

    /// How many sign-ins hold.
    var refreshTokens: Int { state.withLock { $0.refresh.count } }
    /// How often somebody gave a password.
    var signIns: Int { state.withLock { $0.signIns } }

    /// Ends every sign-in, as an administrator would.
    func endAll() {
        state.withLock { state in
            state.access = [:]
            state.refresh = [:]
        }
    }

    /// Who sends a request; `nil` for nobody that is known.
    func user(of request: HTTPRequest) -> UserContext? {
        let token = request.headerFields[.authorization]?.split(separator: " ").last.map(String.init) ?? ""
        return state.withLock { $0.access[token] }.flatMap { users[$0]?.context }
    }

    /// Answers a request to `/auth/…`.
    func answer(_ request: HTTPRequest, _ body: [UInt8]) throws -> TransportResponse {
        let fields = try JSONDecoder().decode([String: String].self, from: Data(body))
        let old = fields["refresh_token"] ?? ""
        let isNew = request.path?.hasSuffix("/register") == true
        if request.path?.hasSuffix("/revoke") == true {
            state.withLock { state in
                guard let name = state.refresh.removeValue(forKey: old) else { return }
                state.access = state.access.filter { $0.value != name }
            }
            return try response(.ok, [:])
        }
        let name: String? = state.withLock { state in
            let name = fields["username"]?.lowercased() ?? ""
            let password = users[name]?.password ?? state.passwords[name]
            if isNew {
                guard password == nil, users[name] != nil else { return nil }
                state.passwords[name] = fields["password"]
                return name
            }
            guard fields["grant_type"] == "password" else { return state.refresh.removeValue(forKey: old) }
            state.signIns += 1
            return password != nil && password == fields["password"] ? name : nil
        }
        guard let name else {
            let taken = ["code": "NameTaken", "message": "This name is taken. Choose another one."]
            return try isNew
                ? response(.conflict, ["error": taken]) : response(.unauthorized, ["error": "invalid_grant"])
        }
        return try state.withLock { state in
            state.made += 1
            state.access["a\(state.made)"] = name
            state.refresh["r\(state.made)"] = name
            return try response(
                isNew ? .created : .ok,
                ["access_token": "a\(state.made)", "refresh_token": "r\(state.made)", "user": ["name": name]]
            )
        }
    }

    private func response(_ status: HTTPResponse.Status, _ content: [String: Any]) throws -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: status, headerFields: [.contentType: "application/json"]),
            body: [UInt8](try JSONSerialization.data(withJSONObject: content))
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Session {
    /// Makes a new user at a service that lets people in, signs them in and keeps the refresh token.
    ///
    /// - Throws: ``ClientError`` with the service's reason, such as that the name is taken, or `insecure` over plain HTTP
    ///   to another machine.
    public func register(_ credentials: Credentials) async throws {
        try await runAlone { try await self.registerNow(credentials) }
    }

    private func registerNow(_ credentials: Credentials) async throws -> String {
        let request = TokenRequest(username: credentials.user, password: credentials.password, device: device)
        let response = try await post("register", request)
        guard response.head.status.code == 201 else { throw ClientError.answer(response) }
        return try keep(TokenAnswer(response))
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel

/// The way to a server that speaks the wire of the fishing app: `locations.php` below one address, and no other host.
///
/// The token stands in the query, as that wire wants it; so it is asked for over TLS, or on this machine, alone.
actor FishingConnection {
    private let address: ServiceAddress
    private let transport: any Transport
    private let signIn: SignIn?
    /// The user's key and token, or the asking for them: one for all calls at once.
    private var asking: Task<Credentials?, any Error>?
    /// How many tokens were given up.
    private var round = 0

    init(address: ServiceAddress, transport: any Transport, signIn: SignIn?) {
        self.address = address
        self.transport = transport
        self.signIn = signIn
    }

    /// Asks the server to do something.
    ///
    /// A token that was good once and is refused now is asked for anew, once.
    ///
    /// - Parameter parameters: what makes the parameters beside `action`, `userid` and `token`, given the user's key.
    func ask(
        _ action: String,
        _ set: String,
        _ parameters: @Sendable (_ user: String) -> [(String, String)]
    ) async throws -> FishingAnswer {
        guard address.isSecure else {
            throw EntityServiceError(
                .notAllowed,
                set: set,
                message: "A token in an address is sent over TLS or on this machine alone."
            )
        }
        let (before, isFirst) = (round, asking == nil)
        let answer = try await send(action, set, parameters)
        guard answer.code == FishingAnswer.badToken, !isFirst else { return answer }
        if round == before { forget() }
        return try await send(action, set, parameters)
    }

    private func forget() {
        asking = nil
        round += 1
    }

    private func send(
        _ action: String,
        _ set: String,
        _ parameters: @Sendable (String) -> [(String, String)]
    ) async throws -> FishingAnswer {
        let known = try await known(set)
        let all =
            [("action", action), ("userid", known.user), ("token", known.password)] + parameters(known.user)
        let query = all.map { "\($0.0)=\(Self.encode($0.1))" }.joined(separator: "&")
        let response = try await transport.get("locations.php?\(query)", below: address)
        guard !(300..<400).contains(response.status) else {
            throw EntityServiceError(
                .untrustedHost,
                set: set,
                message: "The server sends elsewhere, where nothing is sent: the address would have the token."
            )
        }
        return FishingAnswer(response.body)
    }

    private func known(_ set: String) async throws -> Credentials {
        let signIn = signIn
        let task = asking ?? Task { try await signIn?() }
        asking = task
        let before = round
        let given: Credentials?
        do {
            given = try await task.value
        } catch {
            if round == before { forget() }
            throw error
        }
        guard let given else {
            if round == before { forget() }
            throw EntityServiceError(.notAllowed, set: set, message: "The server wants a user and a token.")
        }
        return given
    }

    /// Encodes all but letters, digits and `-._~`: every reserved character, and the blank as `%20`.
    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

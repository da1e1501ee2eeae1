// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ClientError {
    /// How the advice ends where the service could not be asked: for who has a store.
    package static let keepsChanges = "; what was changed here is kept."

    /// Runs a part of a request's way, and says of what it fails of whether the request was sent by then.
    static func marking<Result>(isUnsent: Bool, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ClientError {
            var marked = error
            marked.isUnsent = isUnsent
            throw marked
        }
    }

    static func unreachable(_ host: String, _ cause: String, isUnsent: Bool = false) -> ClientError {
        ClientError(
            .unreachable,
            "No connection to \(host). \(cause)",
            advice: "Check the address and the network" + keepsChanges,
            isUnsent: isUnsent
        )
    }

    /// A connection over TLS that did not come about, so that nothing was sent over it; `nil` for another failure.
    ///
    /// - Parameter cause: what the TLS library says, in its own words: it has no codes for them.
    static func noTLS(_ host: String, _ cause: String) -> ClientError? {
        if cause.contains("CERTIFICATE_VERIFY_FAILED") || cause.contains("failedToValidateHostname") {
            return ClientError(
                .unreachable,
                "No connection to \(host). Its certificate is not trusted here, or is that of another name.",
                advice: "Check the address, and that this machine trusts who signed the certificate.",
                isUnsent: true
            )
        }
        guard cause.hasPrefix("handshakeFailed"),
            cause.contains("EOF during handshake") || cause.contains("WRONG_VERSION_NUMBER")
        else { return nil }
        return ClientError(
            .unreachable,
            "No connection to \(host). It does not answer in TLS.",
            advice: "Check the address: a service without TLS has http:// before its name, and not https://.",
            isUnsent: true
        )
    }

    static func timedOut(_ host: String) -> ClientError {
        ClientError(
            .timedOut,
            "\(host) did not answer in time.",
            advice: "Try again later" + keepsChanges
        )
    }

    static func interrupted() -> ClientError {
        ClientError(
            .interrupted,
            "The connection ended before the answer was whole.",
            advice: "Try again; nothing is applied twice."
        )
    }
}

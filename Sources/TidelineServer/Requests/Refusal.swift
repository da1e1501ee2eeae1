// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData

/// A request that never reached the service: status, OData error body, header fields.
struct Refusal: Error {
    var status: HTTPResponse.Status
    var error: ODataError
    var fields: HTTPFields

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String, fields: HTTPFields = [:]) {
        self.status = status
        error = ODataError(code: code, message: message)
        self.fields = fields
    }

    static func unknownDomain(_ name: Substring) -> Refusal {
        Refusal(.notFound, "DomainNotFound", "This server has no domain of that name. Its root page lists the domains.")
    }

    static let brokenDomain = Refusal(
        .serviceUnavailable,
        "DomainUnavailable",
        "The domain cannot be served now. The server's log says why.",
        fields: [.retryAfter: "10"]
    )

    static let busy = Refusal(
        .serviceUnavailable,
        "Busy",
        "The server has more to do than it can. Try again in a moment.",
        fields: [.retryAfter: "2"]
    )

    static let internalError = Refusal(
        .internalServerError,
        "InternalError",
        "The server failed to answer. Its log has the reason."
    )

    /// - Parameter name: of the limit in the domain's file, where it has one.
    static func tooLarge(limit: Int, named name: String? = nil) -> Refusal {
        Refusal(
            .contentTooLarge,
            "BodyTooLarge",
            "The body is larger than \(limit) bytes, the most that is taken here\(name.map { " (\($0))" } ?? "").",
            fields: [.connection: "close"]
        )
    }

    static let slowBody = Refusal(
        .requestTimeout,
        "BodyTooSlow",
        "The body did not arrive in time.",
        fields: [.connection: "close"]
    )

    static let incompleteBody = Refusal(
        .badRequest,
        "IncompleteBody",
        "The body ended before all of it had come.",
        fields: [.connection: "close"]
    )

    static let crossSite = Refusal(
        .forbidden,
        "CrossSiteRefused",
        "A page of another site may not change data where nobody signs in."
    )

    static let badHost = Refusal(.badRequest, "InvalidHost", "A request names the server in one Host field.")

    static let strangeHost = Refusal(
        .misdirectedRequest,
        "UnknownHost",
        "This server does not go by that name. Behind a proxy, start it with --host-name and the name of the proxy."
    )

    static func methodNotAllowed(_ allowed: String) -> Refusal {
        Refusal(.methodNotAllowed, "MethodNotAllowed", "This address takes \(allowed).", fields: [.allow: allowed])
    }

    static let plainText = Refusal(
        .forbidden,
        "PlainTextRefused",
        "Passwords and tokens travel over TLS only: start the server with --tls-cert and --tls-key."
    )

    static func locked(_ seconds: Int64, _ message: String) -> Refusal {
        Refusal(.tooManyRequests, "SignInLocked", message, fields: [.retryAfter: "\(max(1, seconds))"])
    }

    static func tooManyListeners(ofOneUser limit: Int) -> Refusal {
        Refusal(
            .tooManyRequests,
            "TooManyListeners",
            "\(limit) connections of this user listen for changes already. Data can be asked for all the same.",
            fields: [.retryAfter: "60"]
        )
    }

    static let tooManyListeners = Refusal(
        .serviceUnavailable,
        "TooManyListeners",
        "As many connections listen for changes as this server serves. Data can be asked for all the same.",
        fields: [.retryAfter: "60"]
    )

    /// 401 where a name and a password came and are not taken, or what else is no token.
    static func otherScheme(domain: some StringProtocol, takesBasic: Bool) -> Refusal {
        let refusal = Refusal(
            .unauthorized,
            "SignInRequired",
            "POST /auth/\(domain)/token gives a token, to be sent as Authorization: Bearer; no other scheme is taken.",
            fields: [.wwwAuthenticate: "Bearer realm=\"\(domain)\""]
        )
        return takesBasic ? refusal.offeringBasic(domain) : refusal
    }

    /// The same with the challenge of RFC 7617 too, in a field of its own: clients that know no other look for it there.
    func offeringBasic(_ domain: some StringProtocol) -> Refusal {
        var refusal = self
        let challenge = HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"\(domain)\", charset=\"UTF-8\"")
        refusal.fields.append(challenge)
        if status == .unauthorized, error.code == "SignInRequired" {
            refusal.error.message =
                "This domain is for signed-in users: send a name and a password as Authorization: Basic, or a token of "
                + "/auth/\(domain)/token as Authorization: Bearer."
        }
        return refusal
    }

    /// 401 with the challenge of RFC 6750, section 3.
    static func unauthorized(domain: some StringProtocol, isTokenInvalid: Bool) -> Refusal {
        var challenge = "Bearer realm=\"\(domain)\""
        if isTokenInvalid { challenge += ", error=\"invalid_token\"" }
        return Refusal(
            .unauthorized,
            isTokenInvalid ? "InvalidToken" : "SignInRequired",
            isTokenInvalid
                ? "The access token is unknown, expired or revoked. Refresh it, or sign in again."
                : "This domain is for signed-in users: POST /auth/\(domain)/token gives a token.",
            fields: [.wwwAuthenticate: challenge]
        )
    }
}

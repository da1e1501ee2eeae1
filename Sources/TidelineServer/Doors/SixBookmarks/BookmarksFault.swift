// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a service of 2010 refuses a request: a stable code, and a sentence that tells nothing of the server's inside.
struct BookmarksFault: Error, Hashable {
    var code: String
    var message: String
    /// What the server knows beside it, for its log alone: never a value that a client sent.
    var retryAfter: Int64?

    init(_ code: String, _ message: String, retryAfter: Int64? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    static let missingHeaders = BookmarksFault(
        "MissingHeaders",
        "Neither a logon token nor API key were provided in the request. Send x-amx-apiusername, and x-amx-token with "
            + "all but the logon of the account."
    )

    static let invalidToken = BookmarksFault(
        "InvalidToken",
        "The token is unknown, expired or logged off, or it is another account's. Log the account on again."
    )

    static let unboundToken = BookmarksFault(
        "NoUser",
        "No user has logged on with this token. Log a user on before asking for bookmarks."
    )

    static let boundToken = BookmarksFault(
        "TokenInUse",
        "The token belongs to the user who logged on with it first. Log the account on for a token of its own."
    )

    static let invalidParameters = BookmarksFault(
        "InvalidParameters",
        "The parameters are not as forms encode them, or one stands twice. Encode every value."
    )

    static let unknownOperation = BookmarksFault("UnknownOperation", "The service has no operation of that name.")

    static func missing(_ parameter: String) -> BookmarksFault {
        BookmarksFault("MissingParameter", "The operation takes the parameter \(parameter).")
    }

    static func locked(_ seconds: Int64) -> BookmarksFault {
        BookmarksFault("LogonLocked", "Logon failed too often. Wait, then try again.", retryAfter: max(1, seconds))
    }

    static let tooFar = BookmarksFault(
        "NotHere",
        "This door is for programs on the server's own machine, or where its domain says so for TLS. Use the OData "
            + "service of the domain."
    )

    static let failed = BookmarksFault("InternalError", "The server failed to answer. Its log has the reason.")
}

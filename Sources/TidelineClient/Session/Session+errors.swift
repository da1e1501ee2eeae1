// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Session {
    static func wrongCredentials(_ status: Int) -> ClientError {
        ClientError(
            .wrongCredentials,
            "The name or the password is wrong.",
            advice: "Check both and try again.",
            status: status
        )
    }

    nonisolated var insecure: ClientError {
        ClientError(
            .insecure,
            "A password or token would travel to \(address.host) in the clear.",
            advice: "Use an https address."
        )
    }
}

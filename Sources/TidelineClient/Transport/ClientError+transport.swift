// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ClientError {
    static func unreachable(_ host: String, _ cause: String) -> ClientError {
        ClientError(
            .unreachable,
            "No connection to \(host). \(cause)",
            advice: "Check the address and the network; what was changed here is kept."
        )
    }

    static func timedOut(_ host: String) -> ClientError {
        ClientError(
            .timedOut,
            "\(host) did not answer in time.",
            advice: "Try again later; what was changed here is kept."
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

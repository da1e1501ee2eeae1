// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging

/// One line for each request: what was asked, what came out, how long it took.
///
/// No query, no key, no token, no value.
struct AccessLog {
    let logger: Logger

    func write(_ method: HTTPRequest.Method, _ address: RequestAddress, _ status: HTTPResponse.Status, _ time: Duration)
    {
        let level: Logger.Level = status.code >= 500 ? .warning : .info
        let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
        logger.log(
            level: level,
            "Request",
            metadata: [
                "method": "\(method.rawValue)", "path": "\(address.logged)", "status": "\(status.code)",
                "us": "\(microseconds)",
            ]
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import TidelineStorage

/// The log of errors that the client was told by an id alone.
enum ServiceReport {
    static func log(_ id: String, _ error: any Error, domain: String, to logger: Logger) {
        // The messages of a store hold no value of any entity; of other errors only the type is written.
        let reason = (error as? StorageError).map { "\($0.code.rawValue): \($0.message)" }
        logger.error(
            "The service failed",
            metadata: [
                "id": "\(id)", "domain": "\(domain)",
                "reason": "\(reason ?? String(reflecting: type(of: error)))",
            ]
        )
    }
}

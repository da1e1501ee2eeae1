// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import TidelineService
import TidelineStorage

/// The log of errors that the client was told by an id alone, and of what is wrong with values that it was told as null.
enum ServiceReport {
    static func log(_ id: String, _ error: any Error, domain: String, to logger: Logger) {
        if let error = error as? UnreadableValues {
            let place: Logger.Metadata = ["domain": "\(domain)", "property": "\(error.property)"]
            return logger.warning("Values are none of their property's type, and told as null", metadata: place)
        }
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

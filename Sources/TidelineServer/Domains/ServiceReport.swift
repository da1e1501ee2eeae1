// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import TidelineService
import TidelineStorage

/// The log of errors that the client was told by an id alone, of what is wrong with values that it was told as null, and
/// of the requests of a batch that failed.
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

    /// As the access log has a request: no query, no key, and what is the server's failure as a warning.
    static func log(_ failures: BatchFailures, domain: String, to logger: Logger) {
        for part in failures.parts {
            logger.log(
                level: part.status.code >= 500 ? .warning : .info,
                "A request of a batch failed",
                metadata: [
                    "domain": "\(domain)", "id": "\(plain(part.id.prefix(64)))", "method": "\(part.method.rawValue)",
                    "path": "\(RequestAddress(target: plain(part.path.prefix(400))).logged)",
                    "status": "\(part.status.code)", "code": "\(plain((part.code ?? "").prefix(64)))",
                ]
            )
        }
        guard failures.count > failures.parts.count else { return }
        logger.info(
            "More requests of the batch failed",
            metadata: ["domain": "\(domain)", "count": "\(failures.count - failures.parts.count)"]
        )
    }

    /// Text of a client without what would break the line or change how it is read.
    private static func plain(_ text: Substring) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: result.append("?")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import TidelineAccounts
import TidelineOData
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
        logger.error(
            "The service failed",
            metadata: [
                "id": "\(id)", "domain": "\(domain)", "reason": "\(reason(error))",
            ]
        )
    }

    /// What the log says of an error of a request: a store's text, and of any other the type, which says where to look.
    ///
    /// The messages of a store hold no value of any entity; those of others may.
    static func reason(_ error: any Error) -> String {
        (error as? StorageError)?.description ?? String(reflecting: type(of: error))
    }

    /// What the log says of an error that came of no request: its text where it has one.
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as ServerError: error.message
        case let error as AccountsError: error.message
        case let error as ODataError: ([error.message] + error.details.map(\.message)).joined(separator: " ")
        case let error as any CustomStringConvertible: error.description
        default: String(reflecting: type(of: error))
        }
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

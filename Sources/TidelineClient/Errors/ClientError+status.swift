// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import TidelineOData

extension ClientError {
    /// The error that an answer with a status of 300 or more stands for.
    static func answer(_ response: TransportResponse) -> ClientError {
        let isJSON = response.mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false
        let service = isJSON ? ErrorBody.read(response.body) : nil
        return answer(response.head.status.code, response.head.headerFields, service)
    }

    /// The error that an answer to one request of a batch stands for.
    package static func answer(_ item: BatchResponse.Item) -> ClientError {
        answer(item.status, item.headers, ErrorBody.read(item.body))
    }

    private static func answer(_ status: Int, _ fields: HTTPFields, _ service: ODataError?) -> ClientError {
        let said = service?.message ?? "The service answered \(status)."
        let wait = fields[.retryAfter].flatMap { Int64($0) }.map {
            Duration.seconds(max(0, min($0, 86_400)))
        }
        func make(_ code: Code, _ message: String, _ advice: String) -> ClientError {
            ClientError(code, message, advice: advice, status: status, service: service, retryAfter: wait)
        }
        switch status {
        case 300..<400:
            return make(.redirected, "The service sends to another address.", "Use the address that it names.")
        case 401: return make(.signInRequired, "The service asks who you are.", "Sign in.")
        case 403: return make(.forbidden, said, "Ask the administrator of the domain for access.")
        case 404: return make(.notFound, said, "Check the address and the name.")
        case 410: return make(.gone, said, "The data is loaded afresh; pending changes are kept.")
        case 412: return make(.preconditionFailed, said, "Read the entity again.")
        case 413: return make(.tooLarge, said, "Send less at once.")
        case 408, 425, 429, 503: return make(.busy, said, "Try again later.")
        case 511:
            return make(
                .notOData,
                "The network asks for a sign-in of its own.",
                "Open a web page and sign in to the network."
            )
        case 500...:
            return make(.serverFailure, said, "Try again later; if it stays, tell the administrator of the service.")
        default: return make(.refused, said, "Change the request.")
        }
    }

    /// The error of an answer that no OData service made.
    static func notOData(_ response: TransportResponse) -> ClientError {
        let found = response.mediaType ?? "no content type"
        return ClientError(
            .notOData,
            "The answer is not from an OData service (\(found)).",
            advice: "Check the address; on a public network, open a web page and sign in to the network first.",
            status: response.head.status.code
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// The answer to a delta of which a part failed: a delta with `Core.DataModificationException` on what was not done.
struct DeltaFailures {
    let call: Call
    let set: EntitySet

    func answer(_ failures: [DeltaFailure]) -> Answer {
        let prefix = call.version == .v40 ? "odata." : ""
        let output = ByteWriter()
        output.append(text: "{\"@\(prefix)context\":")
        output.appendQuoted("\(call.contextRoot)#\(set.names.wire)/$delta")
        output.append(text: ",\"value\":[")
        for (place, failure) in failures.enumerated() {
            output.append(text: place == 0 ? "{" : ",{")
            if let id = failure.id {
                output.append(text: "\"@\(prefix)id\":")
                output.appendQuoted(id)
                output.append(text: ",")
            }
            if let id = failure.contentID {
                output.append(text: "\"@Core.ContentID\":")
                output.appendQuoted(id)
                output.append(text: ",")
            }
            output.append(text: "\"@Core.DataModificationException\":{\"failedOperation\":\"\(failure.operation)\"")
            output.append(text: ",\"responseCode\":\"\(Status.of(failure.error).code)\",\"info\":{\"code\":")
            output.appendQuoted(failure.error.code)
            output.append(text: ",\"message\":")
            output.appendQuoted(failure.error.message)
            output.append(text: "}}}")
        }
        output.append(text: "]}")
        var fields = HTTPFields()
        fields[.odataVersion] = call.version.rawValue
        fields[.contentType] = call.format.contentType
        fields[.vary] = "Accept, Prefer, OData-MaxVersion"
        var applied = call.preferences.none
        applied.continuesOnError = true
        fields[.preferenceApplied] = applied.headerValue
        return Answer(.ok, fields: fields, body: .bytes(output.bytes))
    }
}

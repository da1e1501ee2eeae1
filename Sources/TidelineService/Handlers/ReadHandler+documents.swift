// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

extension ReadHandler {
    /// The sets that the user may read.
    ///
    /// Source: OData JSON Format 4.01, section 5.
    func serviceDocument() -> Answer {
        let output = ByteWriter()
        let prefix = call.version == .v40 ? "odata." : ""
        output.append(text: "{\"@\(prefix)context\":")
        output.appendQuoted(call.contextRoot)
        output.append(text: ",\"value\":[")
        var isFirst = true
        for set in core.planner.model.sets {
            guard core.planner.policies.access(.read, to: set.names.wire, for: call.user) != .none else { continue }
            // Names are identifiers of ASCII letters and digits: nothing in them needs an escape.
            output.append(text: isFirst ? "" : ",")
            output.append(text: "{\"name\":\"\(set.names.wire)\",\"kind\":\"EntitySet\",\"url\":\"\(set.names.wire)\"}")
            isFirst = false
        }
        output.append(text: "]}")
        return Answer(.ok, fields: fields(contentType: call.format.contentType), body: .bytes(output.bytes))
    }

    /// The model, in XML or JSON as `$format` or `Accept` ask.
    func metadata() -> Answer {
        let isJSON = Negotiation.prefersJSON(call.options.format ?? call.fields[.accept])
        return Answer(
            .ok,
            fields: fields(contentType: isJSON ? "application/json" : "application/xml"),
            body: .bytes(isJSON ? core.metadataJSON : core.metadataXML)
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a service says of itself in the annotations of its container, the same in both formats.
///
/// What the standard has no term for stands under `Tideline.V1`; a client that does not know it passes over it.
/// Source: OData vocabulary Capabilities V1.
enum CSDLCapabilities {
    enum Member {
        case flag(Bool)
        case integer(Int)
    }

    enum Value {
        case flag(Bool)
        case integer(Int)
        case record([(String, Member)])
    }

    struct Capability {
        var term: String
        var value: Value
    }

    /// The restrictions of a set that can only be read: the term and its flag, which is false.
    static let readOnly = [
        ("InsertRestrictions", "Insertable"), ("UpdateRestrictions", "Updatable"), ("DeleteRestrictions", "Deletable"),
    ]

    /// The capabilities of the whole service.
    static func container(_ options: CSDLOptions) -> [Capability] {
        var batch: [(String, Member)] = [
            ("Supported", .flag(true)), ("ContinueOnErrorSupported", .flag(true)),
            ("ReferencesInRequestBodiesSupported", .flag(true)), ("EtagReferencesSupported", .flag(true)),
        ]
        if let limit = options.maxBatchRequests { batch.append(("MaximumSize", .integer(limit))) }
        var capabilities = [
            Capability(term: "Capabilities.AsynchronousRequestsSupported", value: .flag(false)),
            Capability(term: "Capabilities.BatchSupport", value: .record(batch)),
            Capability(
                term: "Capabilities.ChangeTracking",
                value: .record([("Supported", .flag(options.tracksChanges))])
            ),
            Capability(
                term: "Capabilities.ExpandRestrictions",
                value: .record([("Expandable", .flag(true)), ("StreamsExpandable", .flag(false))])
            ),
            Capability(term: "Capabilities.SearchRestrictions", value: .record([("Searchable", .flag(false))])),
        ]
        if let days = options.deltaRetentionInDays {
            capabilities.append(Capability(term: "Tideline.V1.DeltaRetentionInDays", value: .integer(days)))
        }
        if let bytes = options.maxBodyInBytes {
            capabilities.append(Capability(term: "Tideline.V1.MaxBodyInBytes", value: .integer(bytes)))
        }
        return capabilities
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// A read of its own whose answer is all of one moment: `Isolation: snapshot`.
///
/// A next link would be followed at another moment, and no snapshot is held open for a client: the answer has no pages.
/// It goes into a spool in the transaction that reads it. What can only be answered in pages is refused.
/// Source: OData Protocol 4.01, section 8.2.6.
struct Isolation {
    let core: Core
    let reader: any StoreReader

    /// Whether a request asks for it, under either name.
    ///
    /// - Throws: `SnapshotUnsupported` for any other isolation.
    static func isAsked(_ fields: HTTPFields) throws(ODataError) -> Bool {
        guard let isolation = fields[.isolation] ?? fields[.odataIsolation] else { return false }
        guard isolation.lowercased() == "snapshot" else {
            throw ODataError(
                service: ServiceCode.snapshotUnsupported,
                "The only isolation is snapshot.",
                target: "Isolation"
            )
        }
        return true
    }

    /// What needs pages where there are none.
    static func unpaged(_ what: String) -> ODataError {
        ODataError(
            service: ServiceCode.snapshotUnsupported,
            "\(what) is answered in pages, which are read at different moments: ask without Isolation.",
            target: "Isolation"
        )
    }

    func answer(to call: Call) throws -> Answer {
        var call = call
        call.isPaged = false
        return try ReadHandler(core: core, reader: reader, call: call).answer().finished(spoolingIn: core.spoolFolder)
    }
}

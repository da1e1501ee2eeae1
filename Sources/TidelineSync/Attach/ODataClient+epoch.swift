// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData

extension ODataClient {
    /// What the service tells of its record of changes; `nil` for one that does not.
    ///
    /// - Parameters:
    ///   - device: the client that asks.
    ///   - set: what is read along, no row of it.
    func epoch(of device: GUID, asking set: String?) async throws -> String? {
        guard let set else { return nil }
        var probe = BatchRequestWriter()
        probe.append(BatchRequest.Item(id: "0", method: .get, url: PercentCoding.encode(segment: set) + "?$top=0"))
        var fields: HTTPFields = [.repeatabilityClientID: device.text]
        fields[.isolation] = "snapshot"
        do {
            return try await batch(probe.finish(), fields: fields).head.headerFields[.tidelineEpoch]
        } catch let error as ClientError where error.isRefusal || [404, 405, 406, 415, 501].contains(error.status) {
            return nil
        }
    }
}

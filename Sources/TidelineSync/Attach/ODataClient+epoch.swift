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
        do {
            let answer = try await batch(probe.finish(), fields: [.repeatabilityClientID: device.text])
            return answer.head.headerFields[.tidelineEpoch]
        } catch let error as ClientError where error.status.map(Self.tellsNone) ?? false {
            return nil
        }
    }

    /// Whether a service that answers so refuses the batch as such: not for who asks, nor for the moment.
    private static func tellsNone(_ status: Int) -> Bool {
        (400..<500).contains(status) && ![401, 408, 425, 429].contains(status) || status == 501
    }
}

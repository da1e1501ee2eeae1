// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData
import TidelineStorage

extension ODataService {
    /// What the service can do with a domain, as its documents tell it.
    static func capabilities(of domain: Domain, respondsAsynchronously: Bool) -> ServiceCapabilities {
        var capabilities = ServiceCapabilities()
        capabilities.deltaRetentionInDays = domain.retention.seconds.map { Int($0 / 86_400) }
        capabilities.deltaRetentionInChanges = domain.retention.entries.map { Int(clamping: $0) }
        capabilities.maxBodyInBytes = domain.limits.bodyBytes
        capabilities.maxBatchRequests = domain.limits.batchRequests
        capabilities.maxExpandLevels = domain.limits.expandDepth
        capabilities.maxPageSize = domain.limits.pageRows
        capabilities.respondsAsynchronously = respondsAsynchronously
        capabilities.takesMultipartBatch = true
        capabilities.insertsDeeply = true
        capabilities.updatesDeeply = true
        capabilities.takesDeltaPayloads = true
        capabilities.changesFilteredSets = true
        capabilities.takesQuerySegment = true
        capabilities.takesKeyAsSegment = true
        capabilities.searches = true
        capabilities.crossJoins = true
        capabilities.computes = true
        capabilities.transformations = [
            "aggregate", "groupby", "filter", "compute", "concat", "identity", "orderby", "top", "skip", "topcount",
            "topsum", "toppercent", "bottomcount", "bottomsum", "bottompercent", "search", "addnested", "join",
            "outerjoin", "nest", "expand",
        ]
        return capabilities
    }
}

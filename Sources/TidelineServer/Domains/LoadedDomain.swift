// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineService

/// A domain that is served now.
final class LoadedDomain: Sendable {
    let domain: Domain
    let service: ODataService
    /// Who listens to its changes.
    let events: DomainEvents

    init(domain: Domain, service: ODataService, events: DomainEvents) {
        self.domain = domain
        self.service = service
        self.events = events
    }
}

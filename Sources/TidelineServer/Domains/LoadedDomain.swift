// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineService
import TidelineStorage

/// A domain that is served now.
final class LoadedDomain: Sendable {
    let domain: Domain
    let service: ODataService
    /// Who listens to its changes.
    let events: DomainEvents
    /// The users of its own tables; none where the server keeps its users.
    ///
    /// Sign-in that names none of them means the first.
    let directories: [UserDirectory]

    init(domain: Domain, service: ODataService, events: DomainEvents, directories: [UserDirectory] = []) {
        self.domain = domain
        self.service = service
        self.events = events
        self.directories = directories
    }

    /// How the database that was opened stands to what is there now.
    var place: StorePlace { service.place }

    /// The directory of that name.
    func directory(_ name: String) -> UserDirectory? {
        directories.first { $0.name == name }
    }
}

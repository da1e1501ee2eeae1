// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineService
import TidelineStorage

extension UserDirectory {
    /// The users that the SQL of a domain's file finds.
    ///
    /// - Parameter store: the domain's, opened with ``TidelineService/Domain/forStore``.
    init(_ directory: SignInDirectory, of domain: String, in store: any Store) {
        self.init(
            domain: domain,
            name: directory.name,
            roles: directory.roles,
            attributes: directory.attributes.map(\.name),
            store: store,
            find: directory.findOperation,
            byId: directory.byIdOperation,
            setHash: directory.setHashOperation
        )
    }
}

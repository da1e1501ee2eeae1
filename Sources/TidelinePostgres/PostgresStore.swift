// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
public import TidelineModel

/// A store over a PostgreSQL database.
public final class PostgresStore: Sendable {
    public let model: EntityModel

    public init(model: EntityModel) {
        self.model = model
    }

    /// The version of libpq, as 160002 for 16.2.
    package static var libraryVersion: Int { Int(PQlibVersion()) }
}

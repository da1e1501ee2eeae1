// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel

/// An entity of an answer that cannot be read as one of its set.
struct UnreadableEntity: Error {
    let set: EntitySet
    /// What is wrong with it; it names the set.
    let cause: ClientError
}

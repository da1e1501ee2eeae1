// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// The stage of a set's changes that come on several pages.
///
/// The guard of the stage: the pages follow each other, each is received after the one before.
final class Staging: @unchecked Sendable {
    let stage: TidelineStore.DeltaSink

    init(stage: TidelineStore.DeltaSink) {
        self.stage = stage
    }
}

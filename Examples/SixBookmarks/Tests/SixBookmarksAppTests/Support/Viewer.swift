// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Observation

/// Somebody who looks at a screen.
@MainActor
enum Viewer {
    /// Waits, as a view does, until what is observed is as it should be.
    static func wait(until isShown: () -> Bool) async {
        while !isShown() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isShown()
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }
}

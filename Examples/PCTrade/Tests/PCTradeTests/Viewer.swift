// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Observation
import Tideline

/// Somebody who looks at a list on a screen.
@MainActor
enum Viewer {
    /// Waits, as a view does, until a list shows something.
    static func wait<Element>(
        for list: ObservedList<Element>,
        until isShown: (ObservedList<Element>) -> Bool
    ) async {
        while !isShown(list), list.error == nil {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = list.revision
                    _ = list.error
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }
}

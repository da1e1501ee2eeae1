// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Observation
import Testing

/// Somebody who looks at a screen.
@MainActor
enum Viewer {
    /// Waits, as a view does, until what is observed is as it should be.
    ///
    /// What never comes is told, with what is there instead; nothing is waited for but that.
    static func wait(
        until isShown: () -> Bool,
        else description: @escaping @MainActor () -> String = { "" },
        at location: SourceLocation = #_sourceLocation
    ) async {
        let (changes, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = Task {
            try await Task.sleep(for: .seconds(300))
            Issue.record("It never came. \(description())", sourceLocation: location)
            bell.finish()
        }
        defer { watch.cancel() }
        var iterator = changes.makeAsyncIterator()
        while true {
            let isThere = withObservationTracking(isShown) { bell.yield() }
            if isThere { return }
            guard await iterator.next() != nil else { return }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A named place where a test may end the process as `kill -9` would, chosen at run time.
///
/// `TIDELINE_FAIL_POINT=push.after-commit` kills at the first visit of that place, `NAME:3` at the third. Without the
/// variable a visit costs one comparison.
package enum FailPoint {
    private static let chosen: (name: String, visit: Int)? = {
        guard let text = unsafe getenv("TIDELINE_FAIL_POINT").map({ unsafe String(cString: $0) }) else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1)
        guard let name = parts.first else { return nil }
        return (String(name), parts.count == 2 ? Int(parts[1]) ?? 1 : 1)
    }()

    private static let visits = VisitCounter()

    /// Marks a place.
    ///
    /// Ends the process with SIGKILL when it is the chosen one.
    package static func visit(_ name: StaticString) {
        guard let chosen, chosen.name == "\(name)" else { return }
        if visits.next() == chosen.visit { kill(getpid(), SIGKILL) }
    }
}

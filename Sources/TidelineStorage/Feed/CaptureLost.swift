// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The triggers of a table are not what they were: changes may have passed unseen.
///
/// A store that catches it restores capture, which begins a new epoch, and runs the closure again.
package struct CaptureLost: Error {
    package init() {}
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An entity set that is handed on by reference.
///
/// A set has some twenty parts that are counted each time it is copied: with a copy for every path, that took most of
/// the time in which a `$filter` was checked and compiled.
package final class SharedSet: Sendable {
    package let set: EntitySet

    package init(_ set: EntitySet) { self.set = set }
}

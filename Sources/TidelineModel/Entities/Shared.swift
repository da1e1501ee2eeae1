// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value behind one reference: copies of what holds it count that reference alone, and not all that the value has.
///
/// Whoever changes the value makes a new one of it, so that no copy sees the change.
@usableFromInline
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline let value: Value

    init(_ value: Value) { self.value = value }

    @usableFromInline
    static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

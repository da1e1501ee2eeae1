// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A preference that has another value now.
public struct PreferenceChange: Hashable, Sendable {
    public var key: String
    public var before: PreferenceValue
    public var after: PreferenceValue

    public init(key: String, before: PreferenceValue, after: PreferenceValue) {
        self.key = key
        self.before = before
        self.after = after
    }
}

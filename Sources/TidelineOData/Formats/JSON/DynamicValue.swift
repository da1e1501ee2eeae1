// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The value of a property that an open type does not declare, as far as a request for it alone needs to know.
public enum DynamicValue: Hashable, Sendable {
    /// Its text.
    case scalar(String)
    /// Its JSON.
    case object(String)
    case list
}

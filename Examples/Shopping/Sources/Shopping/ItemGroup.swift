// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// What kind of thing an item is; stored as a number.
public enum ItemGroup: Int32, PropertyValue, CaseIterable, Sendable {
    case groceries = 0
    case tech = 1

    /// What a person reads.
    public var title: String {
        switch self {
        case .groceries: "Groceries"
        case .tech: "Tech"
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a draft brought back beside the pending changes.
public struct RestoredDraft {
    /// The text that was kept with it: which screen was open, say.
    public var screen: String
    /// The objects that were named, in their order; those whose row is gone are left out.
    public var selection: [ManagedRow]
}

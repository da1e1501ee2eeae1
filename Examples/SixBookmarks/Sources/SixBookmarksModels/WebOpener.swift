// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Gives an address to the system's browser, outside of the app.
///
/// It is given only what `BookmarkAddress` takes. What it throws is shown.
public typealias WebOpener = @MainActor (_ address: String) throws -> Void

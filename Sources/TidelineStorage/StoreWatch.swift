// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What listens for changes of other programs, until nobody holds it any more; see ``Store/watch(_:)``.
public protocol StoreWatch: AnyObject, Sendable {}

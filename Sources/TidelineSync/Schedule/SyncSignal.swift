// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A sign from outside that a sync may find something to do.
public enum SyncSignal: Hashable, Sendable {
    /// The service has changes that this device may want.
    case changed
    /// The network is there again, or the service answers again.
    case reachable
}

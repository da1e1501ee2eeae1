// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A copy of what a store held at one moment.
public struct MemoryBackup: Sendable {
    let version: MemoryVersion
}

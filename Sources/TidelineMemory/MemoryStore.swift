// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A store in memory.
public final class MemoryStore: Sendable {
    public let model: EntityModel

    public init(model: EntityModel) {
        self.model = model
    }
}

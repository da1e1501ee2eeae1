// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The formats of OData v2.
public enum V2Format: Hashable, Sendable {
    case json
    case atom
}

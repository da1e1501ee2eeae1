// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// The hours of a Monday: 2026-11-30, UTC.
enum Times {
    static let nine = DateTimeOffset(seconds: 1_796_029_200)
    static let half = DateTimeOffset(seconds: 1_796_031_000)
    static let ten = DateTimeOffset(seconds: 1_796_032_800)
    static let eleven = DateTimeOffset(seconds: 1_796_036_400)
}

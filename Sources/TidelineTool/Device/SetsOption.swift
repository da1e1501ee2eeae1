// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineSync

/// `--set SET[?$filter=…]`: what of a service a store has.
struct SetsOption: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A set to take, or a part of it; may be given more than once.", valueName: "set[?$filter=…]")
    )
    var sets: [String] = []

    /// What was chosen; `nil` for everything.
    func requests() throws -> [SubscriptionRequest]? {
        sets.isEmpty ? nil : try sets.map { try SubscriptionRequest(parsing: $0) }
    }
}

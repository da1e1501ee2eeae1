// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a policy cannot be used.
public struct PolicyError: Error, Hashable, Sendable {
    /// The place of the policy in the domain's list, from 0.
    public var policy: Int
    /// One sentence that names it.
    public var message: String

    public init(policy: Int, message: String) {
        self.policy = policy
        self.message = message
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What one try of a password costs: the parameters of scrypt.
///
/// The memory is 128 × `blockSize` × `rounds` bytes: 32 MiB with the standard parameters.
/// Source: RFC 7914, section 2.
public struct PasswordCost: Hashable, Sendable {
    /// N, a power of two.
    public var rounds: Int
    /// r.
    public var blockSize: Int
    /// p.
    public var parallelism: Int

    /// A cost; the rounds are a power of two.
    public init(rounds: Int, blockSize: Int, parallelism: Int) {
        precondition(rounds > 1 && rounds & (rounds - 1) == 0, "The rounds of scrypt are a power of two.")
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// N = 2^15, r = 8, p = 1: about a tenth of a second.
    public static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 1)
}

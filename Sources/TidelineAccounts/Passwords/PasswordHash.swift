// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A password as it is stored: scrypt of it, with salt and parameters.
struct PasswordHash: Hashable, Sendable {
    var cost: PasswordCost
    var salt: [UInt8]
    var hash: [UInt8]

    /// Hashes a password: slow by intent.
    init(password: String, salt: [UInt8], cost: PasswordCost) throws {
        self.cost = cost
        self.salt = salt
        hash = try Self.derive(password, salt: salt, cost: cost)
    }

    init(cost: PasswordCost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Whether this is the password; takes as long for a wrong one as for the right one.
    func matches(_ password: String) throws -> Bool {
        let other = try Self.derive(password, salt: salt, cost: cost)
        guard other.count == hash.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(other, hash) { difference |= left ^ right }
        return difference == 0
    }

    private static func derive(_ password: String, salt: [UInt8], cost: PasswordCost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.utf8),
            salt: salt,
            outputByteCount: 32,
            rounds: cost.rounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PasswordHash {
    /// As one text, for a column of a domain's own table.
    ///
    ///     $scrypt$ln=15,r=8,p=1$<salt>$<hash>
    ///
    /// Source: the PHC string format, with `ln` as the binary logarithm of N, and base64 without padding.
    var text: String {
        "$scrypt$ln=\(cost.rounds.trailingZeroBitCount),r=\(cost.blockSize),p=\(cost.parallelism)"
            + "$\(Self.base64(salt))$\(Self.base64(hash))"
    }

    /// - Returns: `nil` for a text of another form, and for a cost that nobody could pay.
    init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        var numbers: [Substring: Int] = [:]
        for pair in parts[2].split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let number = Int(sides[1]), number > 0 else { return nil }
            numbers[sides[0]] = number
        }
        guard let logarithm = numbers["ln"], let blockSize = numbers["r"], let parallelism = numbers["p"],
            logarithm <= 20, blockSize <= 32, parallelism <= 16,
            let salt = Self.bytes(parts[3]), let hash = Self.bytes(parts[4]), hash.count >= 16
        else { return nil }
        self.init(
            cost: PasswordCost(rounds: 1 << logarithm, blockSize: blockSize, parallelism: parallelism),
            salt: salt,
            hash: hash
        )
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map(Array.init)
    }
}

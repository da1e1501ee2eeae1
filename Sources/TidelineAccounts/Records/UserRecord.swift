// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A user as a row of `Users`.
enum UserRecord {
    static func values(_ user: User, _ hash: PasswordHash) -> [Value] {
        let password = passwordValues(hash)
        return [
            .string(user.domain), .string(UserName.folded(user.name)), .string(user.name),
            .string(PackedValue.pack(user.id)), .string(pack(user.roles)), .string(PackedValue.pack(user.attributes)),
            .boolean(user.isDisabled), .integer(user.created),
        ] + password.keys.sorted().compactMap { password[$0] }
    }

    /// The values of the password's columns, by place.
    static func passwordValues(_ hash: PasswordHash) -> [Int: Value] {
        [
            8: .binary(hash.salt), 9: .binary(hash.hash), 10: .integer(Int64(hash.cost.rounds)),
            11: .integer(Int64(hash.cost.blockSize)), 12: .integer(Int64(hash.cost.parallelism)),
        ]
    }

    static func user(_ record: Record) -> User {
        User(
            domain: record.text(0),
            name: record.text(2),
            id: PackedValue.unpack(record.text(3)),
            roles: record.text(4).split(separator: "\n").map(String.init),
            attributes: PackedValue.unpackAttributes(record.text(5)),
            isDisabled: record.flag(6),
            created: record.number(7)
        )
    }

    /// The stored password, or `nil` where its parameters make no sense.
    static func hash(_ record: Record) -> PasswordHash? {
        let rounds = Int(record.number(10))
        guard rounds > 1, rounds & (rounds - 1) == 0, record.number(11) > 0, record.number(12) > 0 else { return nil }
        return PasswordHash(
            cost: PasswordCost(
                rounds: rounds,
                blockSize: Int(record.number(11)),
                parallelism: Int(record.number(12))
            ),
            salt: record.bytes(8),
            hash: record.bytes(9)
        )
    }

    /// Roles, one a line.
    static func pack(_ roles: [String]) -> String {
        roles.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }.joined(separator: "\n")
    }
}

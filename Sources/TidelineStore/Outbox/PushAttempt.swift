// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One attempt to send transactions, noted in the store before it begins.
///
/// What is sent is frozen, for it may have arrived. Where it is sure that it has not, ``LocalStore/thaw(_:content:)`` takes
/// that back, of those transactions alone that no other attempt can have sent.
package struct PushAttempt: Hashable, Sendable {
    /// That another sync of the file came between: what is there is not what the attempt was made of.
    package struct Lost: Error {
        package init() {}
    }

    /// The setting of a file that counts who has taken up frozen transactions, and who has frozen some.
    static let setting = "attempts"

    /// What was counted when it was noted.
    let count: Int64
    /// The numbers of the transactions that it was the first to freeze.
    package let first: [Int64]

    /// Counts one more that sends, or may send, what is frozen.
    static func count(_ connection: Connection) throws -> Int64 {
        let count = try connection.number(setting) + 1
        try connection.setNumber(setting, count)
        return count
    }

    /// Whether nobody has taken up anything that is frozen since it was noted.
    func isLast(_ connection: Connection) throws -> Bool { try connection.number(Self.setting) == count }
}

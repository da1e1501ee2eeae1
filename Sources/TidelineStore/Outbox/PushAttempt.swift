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

    /// The setting of a file that counts the attempts.
    private static let setting = "attempts"

    /// What was counted when it was noted.
    let count: Int64
    /// The numbers of the transactions that it, or one before it that did nothing, was the first to freeze.
    package let first: [Int64]

    /// Notes one more.
    ///
    /// - Parameters:
    ///   - numbers: those of the transactions that are frozen for it.
    ///   - earlier: one of the same sync, of which it is sure that nothing was carried out, or will be. What it has frozen is
    ///     taken over, unless another attempt came between: that one may have sent it.
    init(freezing numbers: [Int64], after earlier: PushAttempt?, _ connection: Connection) throws {
        if let earlier, try earlier.isLast(connection) {
            first = earlier.first + numbers
        } else {
            first = numbers
        }
        count = try connection.number(Self.setting) + 1
        try connection.setNumber(Self.setting, count)
    }

    /// Whether no other attempt was noted since.
    func isLast(_ connection: Connection) throws -> Bool { try connection.number(Self.setting) == count }
}

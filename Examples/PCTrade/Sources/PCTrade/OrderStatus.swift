// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What has become of an order.
public enum OrderStatus: Int32, CaseIterable, Sendable {
    /// Not completed.
    case new = 0
    /// Completed and not paid.
    case pending = 1
    /// Paid.
    case closed = 2
    /// Not shown to be worked on, and kept for the history.
    case deleted = 3

    /// What a person reads.
    public var name: String {
        switch self {
        case .new: "New"
        case .pending: "Pending"
        case .closed: "Closed"
        case .deleted: "Deleted"
        }
    }

    /// The status of a name.
    ///
    /// - Throws: ``PCTradeError/unknownStatus(_:)``: no other name stands for `New`.
    public init(name: String) throws(PCTradeError) {
        guard let status = Self.allCases.first(where: { $0.name == name }) else { throw .unknownStatus(name) }
        self = status
    }

    /// The name of a stored number.
    public static func name(of number: Int32) -> String { OrderStatus(rawValue: number)?.name ?? "Unknown state" }
}

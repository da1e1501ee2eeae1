// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why an order cannot be changed so; the description is for the person at the screen.
public enum PCTradeError: Error, Hashable, CustomStringConvertible {
    case unknownStatus(String)
    case noSuchOrder
    case noSuchClient(String)
    case unknownCommand(String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .unknownStatus(let name): "There is no status \"\(name)\". There are New, Pending, Closed and Deleted."
        case .noSuchOrder: "There is no such order any more. `orders CLIENT` lists those of a client."
        case .noSuchClient(let name): "There is no client \"\(name)\". `clients` lists all."
        case .unknownCommand(let name): "There is no command \"\(name)\" with these arguments. `help` lists all."
        }
    }
}

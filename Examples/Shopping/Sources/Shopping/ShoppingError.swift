// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why the list cannot be changed so; the description is for the person at the screen.
public enum ShoppingError: Error, Hashable, CustomStringConvertible {
    case noSuchItem(String)
    case ambiguous(String)
    case noSuchGroup(String)
    case invalid([String])
    case unknownCommand(String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .noSuchItem(let name): "There is no \"\(name)\" on the list. `list` shows what there is."
        case .ambiguous(let name): "There is more than one \"\(name)\" on the list. Delete one of them on a screen."
        case .noSuchGroup(let name): "There is no group \"\(name)\". There are Groceries and Tech."
        case .invalid(let messages): messages.joined(separator: " ")
        case .unknownCommand(let name): "There is no command \"\(name)\" with these arguments. `help` lists all."
        }
    }
}

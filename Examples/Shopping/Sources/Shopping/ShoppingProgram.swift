// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// The commands of the program: words in, lines out.
@MainActor
public struct ShoppingProgram {
    /// What the commands are.
    public nonisolated static let help = """
        A shopping list, at hand with or without a connection.

          shopping FILE list                                what to buy, the cheapest first
          shopping FILE add NAME PRICE [Groceries|Tech]     put something on it
          shopping FILE bought NAME                         it lies in the basket
          shopping FILE delete NAME                         take it off
          shopping FILE sold NAME STORE                     note that a store sells it
          shopping FILE stores NAME                         the stores that sell it
        """

    private let list: ShoppingList

    /// The commands over a list.
    public init(_ list: ShoppingList) { self.list = list }

    /// Carries a command out.
    ///
    /// - Parameter words: the command and its arguments, without the file.
    /// - Returns: the lines to show.
    /// - Throws: ``ShoppingError`` and ``LocalStoreError``, whose descriptions are for the person at the screen.
    public func run(_ words: [String]) throws -> [String] {
        switch (words.first ?? "", words.count) {
        case ("list", 1): break
        case ("add", 3...4): return [try add(words)]
        case ("bought", 2): try list.setBought(item(words[1]), true)
        case ("delete", 2): try list.delete(item(words[1]))
        case ("sold", 3):
            try list.note(item(words[1]), soldAt: words[2])
            return try list.shops(selling: item(words[1])).map(\.name)
        case ("stores", 2): return try list.shops(selling: item(words[1])).map(\.name)
        case (let command, _): throw ShoppingError.unknownCommand(command)
        }
        let query = ShoppingItem.all.sorted { $0.price }.sorted(.caseInsensitive) { $0.name }
        return try list.store.fetch(query).map { item in
            "\(item.isBought ? "x" : "-") \(item.name)  \(item.group.title)  \(Price.shown(item.price))"
        }
    }

    private func add(_ words: [String]) throws -> String {
        let screen = AddItemModel(list)
        (screen.name, screen.price) = (words[1], words[2])
        if words.count == 4 {
            guard let group = ItemGroup.allCases.first(where: { $0.title.lowercased() == words[3].lowercased() }) else {
                throw ShoppingError.noSuchGroup(words[3])
            }
            screen.group = group
        }
        guard try screen.add() else { throw ShoppingError.invalid(screen.messages) }
        return screen.confirmation ?? ""
    }

    private func item(_ name: String) throws -> ShoppingItem {
        let found = try list.store.fetch(ShoppingItem.where { $0.name == name })
        guard let first = found.first else { throw ShoppingError.noSuchItem(name) }
        guard found.count == 1 else { throw ShoppingError.ambiguous(name) }
        return first
    }
}

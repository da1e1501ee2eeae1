// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// The commands of the program: words in, lines out.
@MainActor
public struct PCTradeProgram {
    /// What the commands are.
    public nonisolated static let help = """
        Clients and orders of a shop for computer parts, at hand with or without a connection.

          pctrade FILE clients                        the clients, and how many orders each has
          pctrade FILE add-client NAME [PHONE]        add one
          pctrade FILE orders CLIENT                  the orders of one: date, sum, status
          pctrade FILE add-order CLIENT               add one, of today
          pctrade FILE status CLIENT NUMBER STATUS    set the status of the order on a line: New, Pending, Closed, Deleted
        """

    private let store: LocalStore
    private let now: () -> DateTimeOffset

    /// The commands over a store of ``PCTradeStore/model``.
    ///
    /// - Parameter now: tells the time.
    public init(_ store: LocalStore, now: @escaping () -> DateTimeOffset = { .now }) {
        self.store = store
        self.now = now
    }

    /// Carries a command out.
    ///
    /// - Parameter words: the command and its arguments, without the file.
    /// - Returns: the lines to show.
    /// - Throws: ``PCTradeError`` and ``LocalStoreError``, whose descriptions are for the person at the screen.
    public func run(_ words: [String]) throws -> [String] {
        switch (words.first ?? "", words.count) {
        case ("clients", 1): break
        case ("add-client", 2...3):
            let client = Client(
                clientId: .random(),
                clientName: words[1],
                contactPhone: words.count == 3 ? words[2] : nil
            )
            try store.write { _ = try $0.insert(client) }
        case ("orders", 2): return try orders(of: client(words[1]))
        case ("add-order", 2):
            let client = try client(words[1])
            let editor = try OrderEditorModel(store, newFor: client, now: now)
            editor.tapDate()
            try editor.pickerDone()
            _ = try editor.save()
            return try orders(of: client)
        case ("status", 4):
            let client = try client(words[1])
            let all = try store.fetch(query(client))
            guard let number = Int(words[2]), all.indices.contains(number - 1) else { throw PCTradeError.noSuchOrder }
            let editor = try OrderEditorModel(store, order: all[number - 1], now: now)
            try editor.pick(status: words[3])
            _ = try editor.save()
            return try orders(of: client)
        case (let command, _): throw PCTradeError.unknownCommand(command)
        }
        return try store.fetch(Client.all.sorted(.caseInsensitive) { $0.clientName }).map { client in
            "\(client.clientName)  \(OrdersMark(count: client.ordersCnt ?? 0).text)"
        }
    }

    private func query(_ client: Client) -> Query<Order> {
        Order.where { $0.customer == client }.sorted { $0.orderDate }
    }

    private func orders(of client: Client) throws -> [String] {
        try store.fetch(query(client)).enumerated().map { place, order in
            "\(place + 1)  \(order.orderDate.date)  \(order.orderSum ?? 0)  \(OrderStatus.name(of: order.orderStatus))"
        }
    }

    private func client(_ name: String) throws -> Client {
        guard let client = try store.first(Client.where { $0.clientName == name }) else {
            throw PCTradeError.noSuchClient(name)
        }
        return client
    }
}

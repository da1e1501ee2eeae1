// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The editor of an order: date and status to choose, the client to see.
///
/// Everything is held back until ``save()``; ``cancel()`` leaves nothing, not even of a new order.
@MainActor
@Observable
public final class OrderEditorModel {
    /// A line of the editor.
    public struct Cell: Hashable, Sendable {
        public let title: String
        public let value: String
    }

    /// What is open below the lines.
    public enum Picker: Hashable, Sendable {
        case date(CalendarDate)
        case status
    }

    /// The picker that is open, or `nil`.
    public private(set) var picker: Picker?
    /// Whether it was saved or cancelled.
    public private(set) var isDone = false
    /// What the last save found wrong.
    public private(set) var failures: [ValidationFailure] = []
    /// The date as it is set here; a new order has none.
    private var date: DateTimeOffset?
    /// Counts what was set and is not seen otherwise.
    private var revision = 0

    private let context: EditingContext
    private let order: Managed<Order>
    private let now: () -> DateTimeOffset

    /// An editor of an order.
    ///
    /// - Parameter now: tells the time.
    /// - Throws: ``PCTradeError/noSuchOrder``.
    public init(_ store: LocalStore, order: Order, now: @escaping () -> DateTimeOffset = { .now }) throws {
        context = EditingContext(store)
        self.now = now
        guard let found = try context.object(Order.self, key: order.orderId) else { throw PCTradeError.noSuchOrder }
        self.order = found
        try found.row.beginEditing()
        date = try Self.date(found.row)
    }

    /// An editor of a new order, which has no date yet.
    public init(_ store: LocalStore, newFor client: Client, now: @escaping () -> DateTimeOffset = { .now }) throws {
        context = EditingContext(store)
        self.now = now
        let values: [String: Value] = ["Client": .guid(client.clientId)]
        let row = try context.insert(values, into: "Orders", isEditing: true)
        guard let typed = context.managed(row, as: Order.self) else { throw PCTradeError.noSuchOrder }
        order = typed
    }

    /// The lines in their two groups, as they stand now: an open date picker shows in its line.
    public var sections: [[Cell]] {
        _ = revision
        var day = date?.date
        if case .date(let preview) = picker { day = preview }
        return [
            [
                Cell(title: "Order Date:", value: day?.text ?? "Click to select"),
                Cell(title: "Order Status:", value: OrderStatus.name(of: order.orderStatus)),
            ],
            [Cell(title: "Client:", value: order.customerName ?? "Click to select")],
        ]
    }

    /// Opens the date picker, at today where there is no date; another one that is open closes.
    public func tapDate() { picker = .date((date ?? now()).date) }

    /// Opens the list of the status names; another picker that is open closes.
    public func tapStatus() { picker = .status }

    /// Turns the date picker; nothing is set before ``pickerDone()``.
    public func turn(to date: CalendarDate) {
        if case .date = picker { picker = .date(date) }
    }

    /// Closes the date picker and sets its date; the time of day stays.
    public func pickerDone() throws {
        if case .date(let day) = picker {
            let chosen = DateTimeOffset(date: day, time: (date ?? DateTimeOffset(date: day)).time)
            try order.row.set("OrderDate", .dateTimeOffset(chosen))
            date = chosen
        }
        picker = nil
    }

    /// Closes the picker and sets nothing.
    public func pickerCancel() { picker = nil }

    /// Sets the status of a name and closes the picker.
    ///
    /// - Throws: ``PCTradeError/unknownStatus(_:)``, with nothing set.
    public func pick(status name: String) throws {
        order.orderStatus = try OrderStatus(name: name).rawValue
        picker = nil
        revision += 1
    }

    /// Saves what was set.
    ///
    /// - Returns: whether it is saved; otherwise ``failures`` tells why not, and editing goes on.
    public func save() throws -> Bool {
        picker = nil
        try order.row.post()
        do {
            try context.save(.preferMine)
        } catch let error as LocalStoreError where !error.failures.isEmpty {
            failures = error.failures
            try order.row.beginEditing()
            return false
        }
        failures = []
        isDone = true
        return true
    }

    /// Takes back whatever was set.
    public func cancel() throws {
        picker = nil
        if order.row.isEditing { try order.row.cancelEditing() }
        context.rollback()
        revision += 1
        isDone = true
    }

    private static func date(_ row: ManagedRow) throws -> DateTimeOffset? {
        if case .dateTimeOffset(let date) = try row["OrderDate"] { date } else { nil }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The screen that adds an item.
@MainActor
@Observable
public final class AddItemModel {
    /// The name as it stands in its field.
    public var name = ""
    /// The price as it stands in its field.
    public var price = ""
    /// The chosen group.
    public var group = ItemGroup.groceries
    /// What was added last, for the line below the fields.
    public private(set) var confirmation: String?
    /// What the last attempt found wrong, each with the property whose field to mark.
    public private(set) var failures: [ValidationFailure] = []

    /// What is wrong, for a person.
    public var messages: [String] { failures.map(ShoppingList.messages.text(for:)) }

    private let list: ShoppingList
    private let now: () -> DateTimeOffset

    /// An empty screen.
    ///
    /// - Parameter now: tells the time.
    public init(_ list: ShoppingList, now: @escaping () -> DateTimeOffset = { .now }) {
        self.list = list
        self.now = now
    }

    /// Adds the item, and empties the fields for the next one.
    ///
    /// - Returns: whether it is on the list; otherwise ``failures`` has all that is wrong, and the fields stay.
    public func add() throws -> Bool {
        confirmation = nil
        var values: [String: Value] = ["Name": .string(name)]
        var mistake: ValidationFailure?
        var amount: EdmDecimal = 0
        do throws(Price.Mistake) {
            amount = try Price.read(price)
            values["Price"] = .decimal(amount)
        } catch {
            let rule: ValidationFailure.Rule = error == .empty ? .required : .type
            mistake = ValidationFailure(set: "Items", properties: ["Price"], rule: rule)
        }
        failures = try Validator(model: list.store.model).failures(of: values, in: "Items")
        if let mistake { failures.append(mistake) }
        guard failures.isEmpty else { return false }
        do {
            let item = try list.add(name, price: amount, group: group, at: now())
            confirmation = "\(item.name) was added for \(Price.shown(item.price))."
        } catch let error as LocalStoreError where !error.failures.isEmpty {
            failures = error.failures
            return false
        }
        (name, price) = ("", "")
        return true
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineModel

struct PredicateTests {
    /// The filter that a query asks with, as OData writes it.
    private func filter<Result>(_ query: Query<Result>) -> String { Self.text(query.filter) }

    @Test func `comparisons build the operators of OData`() {
        #expect(filter(Order.where { $0.id == 5 }) == "(OrderId eq 5)")
        #expect(filter(Order.where { $0.id != 5 }) == "(OrderId ne 5)")
        #expect(filter(Order.where { $0.total > 100 }) == "(Total gt 100)")
        #expect(filter(Order.where { $0.total >= 99.95 }) == "(Total ge 99.95)")
        #expect(filter(Order.where { $0.total < 100 }) == "(Total lt 100)")
        #expect(filter(Order.where { $0.total <= 100 }) == "(Total le 100)")
    }

    @Test func `null is compared with nil`() {
        #expect(filter(Order.where { $0.remark == nil }) == "(Remark eq null)")
        #expect(filter(Order.where { $0.remark != nil }) == "(Remark ne null)")
    }

    @Test func `an enumeration compares as its raw value`() {
        #expect(filter(Order.where { $0.orderStatus == .packed }) == "(OrderStatus eq 1)")
        #expect(filter(Order.where { $0.orderStatus.isIn([.open, .sent]) }) == "(OrderStatus in (0,2))")
    }

    @Test func `conditions are joined with and, or and not`() {
        let query = Order.where { !($0.isExpanded || $0.id == 1) && $0.total > 5 }
        #expect(filter(query) == "((not (IsExpanded or (OrderId eq 1))) and (Total gt 5))")
        #expect(filter(Order.where { $0.id == 1 }.where { $0.isExpanded }) == "((OrderId eq 1) and IsExpanded)")
    }

    @Test func `text has contains, prefix, suffix, case and length`() {
        #expect(filter(Client.where { $0.clientName.contains("b") }) == "contains(ClientName,'b')")
        #expect(filter(Client.where { $0.clientName.hasPrefix("A") }) == "startswith(ClientName,'A')")
        #expect(filter(Client.where { $0.clientName.hasSuffix("z") }) == "endswith(ClientName,'z')")
        #expect(filter(Client.where { $0.clientName.lowercased() == "ann" }) == "(tolower(ClientName) eq 'ann')")
        #expect(filter(Client.where { $0.clientName.count > 3 }) == "(length(ClientName) gt 3)")
    }

    @Test func `lists and ranges ask for membership`() {
        #expect(filter(Order.where { [1, 2].contains($0.id) }) == "(OrderId in (1,2))")
        #expect(filter(Order.where { $0.id.isIn([]) }) == "false")
        let range: ClosedRange<Int32> = 1...3
        #expect(filter(Order.where { range.contains($0.id) }) == "((OrderId ge 1) and (OrderId le 3))")
    }

    @Test func `references are paths`() {
        #expect(filter(Order.where { $0.client.clientName == "Ann" }) == "(Client/ClientName eq 'Ann')")
        #expect(filter(Part.where { $0.whole.whole.code == "a" }) == "(Whole/Whole/Code eq 'a')")
    }

    @Test func `numbers have arithmetic and moments have parts`() {
        #expect(filter(Order.where { $0.total * 2 + 1 > $0.total }) == "(((Total mul 2) add 1) gt Total)")
        #expect(filter(Order.where { $0.id % 2 == 0 }) == "((OrderId mod 2) eq 0)")
        #expect(filter(Order.where { $0.orderDate.year == 2026 }) == "(year(OrderDate) eq 2026)")
    }

    /// A plain rendering of the syntax tree, with parentheses round every operator.
    static func text(_ expression: Expression?) -> String {
        switch expression {
        case nil: ""
        case .literal(.null): "null"
        case .literal(.string(let text)): "'\(text)'"
        case .literal(.integer(let number)): "\(number)"
        case .literal(.boolean(let value)): "\(value)"
        case .literal(.decimal(let value)): value.text
        case .literal(let value): "\(value)"
        case .path(let path): path.joined(separator: "/")
        case .me(let attribute): "@me/\(attribute ?? "")"
        case .unary(let operation, let operand): "(\(operation.rawValue) \(text(operand)))"
        case .binary(let operation, let left, let right): "(\(text(left)) \(operation.rawValue) \(text(right)))"
        case .call(let function, let arguments):
            "\(function.rawValue)(\(arguments.map { text($0) }.joined(separator: ",")))"
        case .isIn(let item, let list): "(\(text(item)) in (\(list.map { text($0) }.joined(separator: ","))))"
        case .isInUser(let item, let attribute): "(\(text(item)) in @me/\(attribute))"
        default: "what no Swift predicate makes: \(String(describing: expression))"
        }
    }
}

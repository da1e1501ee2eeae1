// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineStorage

@testable import TidelineService

/// Operations whose body is code of the program.
struct HandlerTests {
    private static let int = OperationType(.primitive(.int64), isNullable: false)

    private static func operation(
        _ name: String,
        _ kind: EdmOperation.Kind,
        _ parameters: [OperationParameter] = [],
        gives type: OperationType? = nil,
        on binding: OperationBinding? = nil
    ) -> EdmOperation {
        EdmOperation(
            names: Names(wire: name),
            kind: kind,
            binding: binding,
            parameters: parameters,
            returnType: type,
            imports: binding == nil ? [OperationImport(name)] : [],
            body: .handler
        )
    }

    private static let by = OperationParameter(
        names: Names(wire: "by"),
        type: int,
        isOptional: true,
        defaultValue: .integer(1)
    )
    private static let orders = OperationType(.entity(set: "Orders"), isCollection: true, isNullable: false)

    /// Raises the total of an order, and refuses to go beyond 1000.
    private static let raise = OperationHandler(action: "Raise") { arguments, writer in
        guard let key = arguments.key, let set = arguments.set, let order = try writer.entity(key, in: set),
            case .integer(let total) = order.values[2], let by = try arguments.integer("by")
        else { return .nothing }
        _ = try writer.update(key, [2: .integer(total + by)], in: set)
        guard total + by <= 1000 else { throw StorageError(.constraint, message: "Too much.") }
        return .entities([key])
    }

    private func shop(policies: [Policy]? = nil, _ more: OperationHandler...) throws -> Shop {
        try Shop(
            open: policies == nil,
            policies: policies ?? [],
            finishing: { model in
                model.operations = [
                    Self.operation(
                        "Raise",
                        .action,
                        [Self.by],
                        gives: OperationType(.entity(set: "Orders")),
                        on: OperationBinding(set: "Orders")
                    ),
                    Self.operation("Large", .function, gives: Self.orders),
                    Self.operation("Half", .function, [Self.by], gives: Self.int),
                    Self.operation("Nobody", .action),
                ]
            },
            handlers: [
                Self.raise,
                OperationHandler(function: "Large") { arguments, reader in
                    var keys = [Key([.integer(30)]), Key([.integer(20)])]
                    keys.removeAll { (try? reader.entity($0, in: arguments.model.sets[2])) == nil }
                    return .entities(keys)
                },
                OperationHandler(function: "Half") { arguments, _ in
                    .value(.integer(try (arguments.integer("by") ?? 0) / 2))
                },
            ] + more
        )
    }

    @Test func `an action changes and gives back what it is called on`() throws {
        let shop = try shop()
        let reply = shop.send(.post, "Orders(10)/Raise", #"{"by":5}"#)
        #expect(reply.status == 200)
        #expect(reply.text.contains(#""OrderId":10,"Title":"ten","Total":105"#))
        #expect(shop.send(.post, "Orders(10)/Raise").text.contains(#""Total":106"#))
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 10") == "106")
    }

    @Test func `what the code refuses changes nothing`() throws {
        let shop = try shop()
        let reply = shop.send(.post, "Orders(10)/Raise", #"{"by":901}"#)
        #expect(reply.status == 409)
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 10") == "100")
    }

    @Test func `functions give entities by their keys, and values`() throws {
        let shop = try shop()
        #expect(shop.get("Large?$select=OrderId").text.withoutETags.contains(#""OrderId":20"#))
        #expect(shop.get("Large?$filter=Total gt 250&$select=OrderId").text.contains(#""OrderId":30"#))
        #expect(!shop.get("Large?$filter=Total gt 250&$select=OrderId").text.contains(#""OrderId":20"#))
        #expect(shop.get("Half(by=9)").text.contains(#""value":4"#))
        #expect(shop.get("Half()").text.contains(#""value":0"#))
    }

    @Test func `entities that the caller may not see are not shown by code either`() throws {
        let policies = Shop.policies + [Policy(role: "*", sets: [], operations: [], calls: ["Large"])]
        let shop = try shop(policies: policies)
        // Alice has order 30, order 20 is Bob's.
        let text = shop.get("Large?$select=OrderId").text
        #expect(text.contains(#""OrderId":30"#))
        #expect(!text.contains(#""OrderId":20"#))
        #expect(shop.send(.post, "Orders(10)/Raise").status == 403)
    }

    @Test func `an operation without code is not implemented, and code that gives the wrong type fails`() throws {
        let shop = try shop(OperationHandler(function: "Half") { _, _ in .value(.string("four")) })
        #expect(shop.send(.post, "Nobody").status == 501)
        #expect(shop.get("Half()").status == 500)
    }

    @Test func `what an action changes arrives in a delta`() throws {
        let shop = try shop()
        let load = shop.get("Orders?$select=OrderId,Total", ["Prefer": "track-changes"])
        let link = try #require(load.link("deltaLink") ?? load.link("odata.deltaLink"))
        _ = shop.send(.post, "Orders(20)/Raise", #"{"by":7}"#)
        let delta = shop.get(link.replacing("/odata/shop/", with: ""))
        #expect(delta.status == 200)
        #expect(delta.text.contains(#""OrderId":20,"Total":207"#))
        #expect(!delta.text.contains(#""OrderId":10"#))
    }

    @Test func `a repeated request performs an action once`() throws {
        let shop = try shop()
        let fields = [
            "Repeatability-Request-ID": "9e1f2a3c-0000-4000-8000-000000000001", "Repeatability-Client-ID": "device-1",
            "Repeatability-First-Sent": "Sat, 21 Nov 2026 20:00:00 GMT",
        ]
        let first = shop.send(.post, "Orders(30)/Raise", #"{"by":2}"#, fields)
        let second = shop.send(.post, "Orders(30)/Raise", #"{"by":2}"#, fields)
        #expect(first.status == 200)
        #expect(second.text == first.text)
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 30") == "302")
    }
}

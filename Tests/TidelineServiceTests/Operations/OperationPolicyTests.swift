// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Who may call what, and what it sees.
struct OperationPolicyTests {
    private static let calls = [
        Policy(
            role: "buyer",
            sets: [],
            operations: [],
            calls: ["Top", "Largest", "Find", "Raise", "RaiseAll", "Place"]
        ),
        Policy(role: "*", sets: [], operations: [], calls: ["Sum", "Above"]),
    ]

    private func shop() throws -> Shop { try Counter.shop(open: false, policies: Shop.policies + Self.calls) }

    @Test(.covers("DA-03"))
    func `what no policy lets a user call is refused before it is read further`() throws {
        let shop = try shop()
        let clerk = UserContext(id: .integer(1), name: "alice", roles: [])
        #expect(shop.get("Top(count=1)").status == 200)
        #expect(shop.get("Top(count=1)", as: clerk).status == 403)
        // Not even what parameters it has.
        let wrong = shop.get("Top(other=1)", as: clerk)
        #expect(wrong.status == 403)
        #expect(Shop.code(wrong) == "AccessDenied")
        // What the function reads is nothing that this user sees, or knows of.
        #expect(shop.get("Sum", as: clerk).text.contains(#""value":600"#))
        #expect(shop.get("Orders", as: clerk).status == 404)
        #expect(!shop.get("$metadata", as: clerk).text.contains("Orders"))
        #expect(shop.send(.post, "Reset").status == 403)
        #expect(shop.send(.post, "Orders(10)/Close").status == 403)
        #expect(try shop.value("SELECT sum(Total) FROM Orders") == "600")
    }

    @Test
    func `a hidden row that an operation gives is not shown`() throws {
        let shop = try shop()
        // Order 20 is Bob's; order 40 is nobody's.
        #expect(shop.get("Top(count=4)/$count").text == "2")
        #expect(!shop.get("Top(count=4)").text.contains("twenty"))
        #expect(shop.get("Top(count=4)(20)").status == 404)
        #expect(shop.get("Find(title='twenty')").status == 204)
        #expect(shop.get("Find(title='twenty')/Title").status == 404)
        #expect(shop.get("Find(title='ten')").status == 200)
        #expect(shop.get("Largest", as: Shop.bob).status == 204)
        #expect(shop.get("Orders/Above(least=0)/$count").text == "2")
    }

    @Test
    func `an action cannot be called on a hidden row, nor be told one`() throws {
        let shop = try shop()
        #expect(shop.send(.post, "Orders(20)/Raise", #"{"by":1}"#).status == 404)
        #expect(shop.send(.post, "Orders(20)/Raise", #"{"by":1}"#, ["If-Match": "*"]).status == 404)
        #expect(shop.send(.post, "Orders/RaiseAll", #"{"by":1}"#).status == 200)
        #expect(
            try shop.value("SELECT group_concat(Total) FROM (SELECT Total FROM Orders ORDER BY OrderId)")
                == "101,200,301,0"
        )
        // Made for Bob: done, but not shown to Alice.
        let reply = shop.send(.post, "Place", #"{"title":"gift","clientId":2}"#)
        #expect(reply.status == 204)
        #expect(reply.fields[.location] == nil)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE Title = 'gift'") == "2")
    }

    @Test
    func `the documents of a user have the operations that the user may call`() throws {
        let shop = try shop()
        let clerk = UserContext(id: .integer(1), name: "alice", roles: [])
        let mine = shop.get("$metadata").text
        #expect(mine.contains("<Function Name=\"Top\""), "\(mine)")
        #expect(mine.contains("<FunctionImport Name=\"Sum\""))
        #expect(!mine.contains("\"Reset\""))
        #expect(!shop.get("$metadata", as: clerk).text.contains("\"Top\""))
        #expect(shop.get("openapi.json", as: clerk).text.contains("\"/Sum()\""))
        #expect(!shop.get("openapi.json", as: clerk).text.contains("/Reset"))
    }

    @Test
    func `a policy that names no operation of the model is refused`() throws {
        #expect(throws: PolicyError.self) {
            _ = try Counter.shop(
                open: false,
                policies: [Policy(role: "*", sets: [], operations: [], calls: ["Nothing"])]
            )
        }
        let shop = try Counter.shop(
            open: false,
            policies: [Policy(role: "*", sets: [], operations: [], calls: ["*"])]
        )
        #expect(shop.send(.post, "Reset").status == 204)
        // The entities that it gives may not be read at all.
        #expect(shop.get("Top(count=1)").status == 403)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// A device that wrote while its domain was open to everybody, and on which somebody signs in later.
struct ClosedDomainTests {
    private func push(_ shop: Shop, _ number: Int, _ name: String, as user: UserContext) -> Shop.Reply {
        let pair =
            #""Repeatability-Request-ID":"01234567-89ab-8000-8000-00000000000\#(number)","Repeatability-Client-ID":"device-1","Repeatability-First-Sent":"Sat, 21 Nov 2026 13:00:00 GMT""#
        let request =
            #"{"id":"\#(number)","method":"POST","url":"Clients","atomicityGroup":"g","headers":{\#(pair)},"body":{"Name":"\#(name)","OwnerId":1}}"#
        return shop.send(
            .post,
            "$batch",
            "{\"requests\":[\(request)]}",
            ["Repeatability-Client-ID": "device-1"],
            as: user
        )
    }

    private func decided(_ shop: Shop, as user: UserContext) -> String? {
        let body = #"{"requests":[{"id":"1","method":"GET","url":"Clients/$count"}]}"#
        let headers = ["Isolation": "snapshot", "Repeatability-Client-ID": "device-1"]
        return shop.send(.post, "$batch", body, headers, as: user).fields[.tidelineDecided]
    }

    @Test
    func `the first user who signs in goes on as the device, and no other after that`() throws {
        let shop = try Shop(open: true)
        #expect(push(shop, 1, "one", as: .anonymous).text.contains("\"status\":201"))
        #expect(try shop.store.read { try $0.mark(client: "device-1") } == ClientMark(user: nil, transaction: 1))
        #expect(push(shop, 2, "two", as: Shop.alice).text.contains("\"status\":201"))
        #expect(try shop.store.read { try $0.mark(client: "device-1") } == ClientMark(user: "alice", transaction: 2))
        #expect(push(shop, 3, "three", as: Shop.bob).text.contains("ClientOfOtherUser"))
        #expect(push(shop, 3, "three", as: .anonymous).text.contains("ClientOfOtherUser"))
        #expect(try shop.value("SELECT count(*) FROM Clients") == "5")
    }

    @Test
    func `what was sent before the sign-in, and not answered, is answered after it and not done again`() throws {
        let shop = try Shop(open: true)
        let first = push(shop, 1, "one", as: .anonymous)
        #expect(first.text.contains("\"status\":201"))
        #expect(push(shop, 1, "one", as: Shop.alice).text == first.text)
        // Also when the device was taken over meanwhile, and that answer was lost too.
        #expect(push(shop, 2, "two", as: Shop.alice).text.contains("\"status\":201"))
        #expect(push(shop, 1, "one", as: Shop.alice).text == first.text)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "5")
        #expect(push(shop, 1, "another", as: Shop.alice).text.contains("RepeatabilityMismatch"))
    }

    @Test
    func `a pull tells who signs in what was decided before`() throws {
        let shop = try Shop(open: true)
        #expect(push(shop, 1, "one", as: .anonymous).text.contains("\"status\":201"))
        #expect(decided(shop, as: .anonymous) == "1")
        #expect(decided(shop, as: Shop.alice) == "1")
        #expect(push(shop, 2, "two", as: Shop.alice).text.contains("\"status\":201"))
        #expect(decided(shop, as: Shop.alice) == "2")
        #expect(decided(shop, as: Shop.bob) == "0")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Synchronization
import Testing
import Tideline
import TidelineTestSupport

/// Queries carried out by a service: the links that are asked for, and the entities of the answers.
struct ServiceQueryTests {
    /// A service that gives its answers in their order and remembers what was asked.
    private final class Script: Transport {
        private let asked = Mutex<[String]>([])
        private let answers: Mutex<[String]>

        init(_ answers: String...) { self.answers = Mutex(answers) }

        var links: [String] { asked.withLock { $0.map { $0.replacing("/shop/", with: "") } } }

        func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
            asked.withLock { $0.append(request.path ?? "") }
            let text = answers.withLock { $0.isEmpty ? #"{"value":[]}"# : $0.removeFirst() }
            var head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
            if let name = HTTPField.Name("OData-Version") { head.headerFields[name] = "4.01" }
            return TransportResponse(head: head, body: Array(text.utf8))
        }

        func client() throws -> ODataClient {
            ODataClient(
                session: Session(address: try ServiceAddress("https://example.org/shop/"), transport: self) {
                    _ in nil
                }
            )
        }
    }

    private static let select = "%24select=OrderId,OrderDate,OrderStatus,Total,Remark,ClientId"

    /// The link that a query asks for, decoded.
    private func link<Result>(_ query: Query<Result>) async throws -> String {
        let script = Script()
        #expect(try await script.client().fetch(query).isEmpty)
        #expect(script.links.count == 1)
        return script.links[0].removingPercentEncoding ?? ""
    }

    @Test(.covers("DA-41"))
    func `a key-path query is the URL that OData says`() async throws {
        let all = "$select=ClientId,ClientName,ContactPhone"
        #expect(try await link(Client.all) == "Clients?\(all)")
        #expect(
            try await link(Client.where { $0.clientName.hasPrefix("A") && $0.contactPhone != nil })
                == "Clients?$filter=startswith(ClientName,'A') and ContactPhone ne null&\(all)"
        )
        #expect(
            try await link(
                Client.all.sorted(descending: true) { $0.clientName }.sorted { $0.contactPhone }.offset(20).limit(10)
            )
                == "Clients?$orderby=ClientName desc,ContactPhone&\(all)&$top=10&$skip=20"
        )
        #expect(
            try await link(Client.all.sorted(.caseInsensitive) { $0.clientName })
                == "Clients?$orderby=tolower(ClientName)&\(all)"
        )
        #expect(
            try await link(Order.where { $0.client.clientName == "O'Hara" && $0.total > 99.5 })
                == "Orders?$filter=Client/ClientName eq 'O''Hara' and Total gt 99.5"
                + "&$select=OrderId,OrderDate,OrderStatus,Total,Remark,ClientId"
        )
        #expect(
            try await link(Client.all.matching("blue OR \"sky high\"")) == "Clients?$search=blue OR \"sky high\"&\(all)"
        )
    }

    @Test func `links are percent-encoded`() async throws {
        let script = Script()
        _ = try await script.client().fetch(Client.where { $0.clientName == "a&b=c d" })
        #expect(!script.links[0].contains(" "))
        #expect(script.links[0].contains("a%26b"))
    }

    @Test func `all pages are read, and their rows are entities`() async throws {
        let (ann, bob) = (ShopStore.ann, ShopStore.bob)
        let script = Script(
            """
            {"@context":"$metadata#Clients","value":[{"ClientId":"\(ann.text)","ClientName":"Ann","ContactPhone":null}],
             "@nextLink":"Clients?$skiptoken=1"}
            """,
            """
            {"@context":"$metadata#Clients","value":[{"ClientName":"Bob","ContactPhone":"555","ClientId":"\(bob.text)"}]}
            """
        )
        #expect(
            try await script.client().fetch(Client.all) == [
                Client(clientId: ann, clientName: "Ann"), Client(clientId: bob, clientName: "Bob", contactPhone: "555"),
            ]
        )
        #expect(script.links.last == "Clients?$skiptoken=1")
        #expect(script.links.count == 2)
    }

    @Test func `a page is asked for when it is wanted`() async throws {
        let script = Script(#"{"value":[],"@nextLink":"Clients?$skiptoken=1"}"#)
        var pages = try script.client().pages(of: Client.all).makeAsyncIterator()
        #expect(script.links.isEmpty)
        #expect(try await pages.next()?.isEmpty == true)
        #expect(script.links.count == 1)
        #expect(try await pages.next()?.isEmpty == true)
        #expect(try await pages.next() == nil)
        #expect(script.links.count == 2)
    }

    @Test func `an answer that leads to itself ends with an error`() async throws {
        let script = Script(
            #"{"value":[],"@nextLink":"Clients?$skiptoken=1"}"#,
            #"{"value":[],"@nextLink":"Clients?$skiptoken=1"}"#
        )
        let error = await #expect(throws: ClientError.self) { try await script.client().fetch(Client.all) }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test func `every type of value is read, and what stays on the device has its default`() async throws {
        let script = Script(
            """
            {"value":[{"OrderId":7,"OrderDate":"2025-06-15T15:06:40Z","OrderStatus":2,"Total":12.5,"Remark":null,
             "ClientId":"\(ShopStore.ann.text)"}]}
            """
        )
        let orders = try await script.client().fetch(Order.all)
        #expect(
            orders == [
                Order(id: 7, orderDate: ShopStore.day, orderStatus: .sent, total: 12.50, clientId: ShopStore.ann)
            ]
        )
        #expect(orders[0].isExpanded == false)
    }

    @Test func `what a device alone can do is refused before anything is asked`() async throws {
        let script = Script()
        let client = try script.client()
        await #expect(throws: LocalStoreError.self) { try await client.fetch(Client.where(sql: "1 = 1")) }
        await #expect(throws: LocalStoreError.self) {
            try await client.fetch(Client.all.sorted(.localized()) { $0.clientName })
        }
        await #expect(throws: LocalStoreError.self) {
            try await client.fetch(Client.all.matching("a") { [$0.clientName] })
        }
        // `IsExpanded` never crosses the wire.
        await #expect(throws: ExpressionError.self) { try await client.fetch(Order.where { $0.isExpanded }) }
        #expect(script.links.isEmpty)
    }

    @Test func `conditions from text are checked like typed ones`() async throws {
        let query = try Order.where(odata: "Total gt 5 and Client/ClientName eq 'Ann'")
        #expect(
            try await link(query).hasPrefix("Orders?$filter=Total gt 5 and Client/ClientName eq 'Ann'&$select=")
        )
        let shop = try ShopStore()
        #expect(try shop.store.fetch(query).map(\.total) == [12.50])
        #expect(try shop.store.fetch(query.where { $0.total > 100 }).isEmpty)
        #expect(throws: (any Error).self) { try Order.where(odata: "Total gt") }
        let unknown = try Order.where(odata: "Nothing gt 5")
        let refusal = #expect(throws: ExpressionError.self) { try shop.store.fetch(unknown) }
        #expect(refusal?.code == .unknownProperty)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// A device at a service of OData 4.0 that is no Tideline service: written by hand from the standard.
@Suite(.serialized)
struct ForeignServiceTests {
    private static let metadata = #"""
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Demo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/></EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Products" EntityType="Demo.Product"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    private static func reply(_ text: String, type: String = "application/json;odata.metadata=minimal")
        -> TransportResponse
    {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: type, .odataVersion: "4.0"])
        return TransportResponse(head: head, body: Array(text.utf8))
    }

    /// Two pages, and a delta of two pages; links are relative, to the context or to the request.
    private static func answer(_ path: String) -> TransportResponse? {
        switch path {
        case "/svc/$metadata": reply(metadata, type: "application/xml")
        case "/svc/":
            reply(
                ##"{"@odata.context":"http://127.0.0.1/svc/$metadata","value":[{"name":"Products","kind":"EntitySet","url":"Products"},"##
                    + ##"{"name":"Best","kind":"FunctionImport","url":"Best"}]}"##
            )
        case "/svc/Products":
            reply(
                ##"{"@odata.context":"http://127.0.0.1/svc/$metadata#Products","value":[{"@odata.etag":"W/\"08D1\"","ID":1,"Name":"Milk","##
                    + ##""Unknown":{"a":[1]}},{"Name":"Bread","@odata.editLink":"Products(2)","ID":2}],"##
                    + ##""@odata.nextLink":"Products?$skiptoken=2"}"##
            )
        case "/svc/Products?$skiptoken=2":
            reply(##"{"value":[{"ID":3,"Name":null}],"@odata.deltaLink":"?$deltatoken=1"}"##)
        case "/svc/Products?$deltatoken=1":
            reply(
                ##"{"@odata.context":"$metadata#Products/$delta","value":[],"@odata.deltaLink":"Products?$deltatoken=2"}"##
            )
        case "/svc/Products?$deltatoken=2":
            reply(
                ##"{"@odata.context":"$metadata#Products/$delta","value":[{"@odata.context":"#Products/$deletedEntity","id":"Products(1)","##
                    + ##""reason":"deleted"}],"@odata.nextLink":"http://127.0.0.1/svc/Products?$deltatoken=2&page=2"}"##
            )
        case "/svc/Products?$deltatoken=2&page=2":
            reply(
                ##"{"@odata.context":"$metadata#Products/$delta","value":[{"@odata.id":"Products(2)","ID":2,"Name":"Rye bread"}],"##
                    + ##""@odata.deltaLink":"Products?$deltatoken=3"}"##
            )
        case "/svc/Products?$deltatoken=3":
            reply(
                ##"{"@odata.context":"$metadata#Products/$delta","value":[],"@odata.deltaLink":"Products?$deltatoken=3"}"##
            )
        default: nil
        }
    }

    private func clone(_ transport: RecordingTransport) async throws -> (store: LocalStore, client: ODataClient) {
        let session = Session(address: try ServiceAddress("http://127.0.0.1/svc/"), transport: transport)
        let client = ODataClient(session: session)
        let path = NSTemporaryDirectory() + "tideline-foreign-\(UUID().uuidString).tideline"
        let cloner = StoreCloner(client: client, options: Device.options)
        return (try await cloner.clone(to: path).store, client)
    }

    private func names(_ store: LocalStore) async throws -> [String?] {
        try await store.read { reader in
            try (1...3).map { try reader.entity(Key([.integer($0)]), in: "Products")?["Name"]?.text ?? nil }
        }
    }

    @Test(.covers("OD-1.7.5", "OD-1.7.6", "OD-1.7.16", "OD-1.8.7"))
    func `all pages are loaded, and later all pages of changes, without a payload of 4 point 01`() async throws {
        let transport = RecordingTransport { request, _ in
            Self.answer(request.path ?? "") ?? TransportResponse(head: HTTPResponse(status: .notFound), body: [])
        }
        let (store, client) = try await clone(transport)
        #expect(try await names(store) == ["Milk", "Bread", nil])
        #expect(try await store.read { try $0.entity(Key([.integer(3)]), in: "Products") != nil })
        _ = try await SyncEngine(store: store, client: client, options: Device.options).sync()
        #expect(try await names(store) == [nil, "Rye bread", nil])
        #expect(try await store.read { try $0.entity(Key([.integer(1)]), in: "Products") == nil })
        // No batch, no body, and the names of preferences that 4.0 knows.
        #expect(transport.sent.allSatisfy { $0.request.method == .get && $0.body.isEmpty })
        #expect(transport.sent.allSatisfy { $0.request.headerFields[.odataVersion] == nil })
        let load = transport.sent.first { $0.request.path == "/svc/Products" }
        #expect(load?.request.headerFields[.prefer] == "odata.track-changes,odata.maxpagesize=5000")
        #expect(
            transport.sent.compactMap(\.request.path).filter { $0.contains("token") } == [
                "/svc/Products?$skiptoken=2", "/svc/Products?$deltatoken=1", "/svc/Products?$deltatoken=2",
                "/svc/Products?$deltatoken=2&page=2",
            ]
        )
    }

    @Test(arguments: ["/svc/Best?$deltatoken=2", "/svc/Best?$deltatoken=2&page=2"])
    func `a set whose changes the service fails to give, or a page of them, holds no other one up`(
        broken: String
    ) async throws {
        let metadata = Self.metadata.replacing(
            "</EntityContainer>",
            with: #"<EntitySet Name="Best" EntityType="Demo.Product"/></EntityContainer>"#
        )
        let isBroken = Mutex(true)
        let transport = RecordingTransport { request, _ in
            let path = request.path ?? ""
            if path == "/svc/$metadata" { return Self.reply(metadata, type: "application/xml") }
            if path == "/svc/" {
                return Self.reply(##"{"@odata.context":"$metadata","value":[{"name":"Products"},{"name":"Best"}]}"##)
            }
            if path == broken, isBroken.withLock(\.self) {
                let head = HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "3600"])
                return TransportResponse(head: head, body: [])
            }
            guard let products = Self.answer(path.replacing("Best", with: "Products")) else {
                return TransportResponse(head: HTTPResponse(status: .notFound), body: [])
            }
            guard path.hasPrefix("/svc/Best") else { return products }
            return Self.reply(String(decoding: products.body, as: UTF8.self).replacing("Products", with: "Best"))
        }
        let (store, client) = try await clone(transport)
        let engine = SyncEngine(store: store, client: client, options: Device.options)
        func best() async throws -> [String?] {
            try await store.read { reader in
                try (1...2).map { try reader.entity(Key([.integer($0)]), in: "Best")?["Name"]?.text ?? nil }
            }
        }
        let error = try #require(await #expect(throws: ClientError.self) { try await engine.sync() })
        #expect(error.message == "Best: The service answered 503.")
        #expect(error.code == .busy && error.retryAfter == .seconds(3600))
        #expect(try await names(store) == [nil, "Rye bread", nil])
        #expect(try await best() == ["Milk", "Bread"])
        isBroken.withLock { $0 = false }
        #expect(try await engine.sync() == SyncReport(received: 1, removed: 1))
        #expect(try await best() == [nil, "Rye bread"])
    }

    @Test(.covers("OD-1.7.16"))
    func `a change waits where the service does not say that it takes 4 point 01`() async throws {
        let says = Mutex(false)
        let transport = RecordingTransport { request, _ in
            if request.path == "/svc/$metadata", says.withLock(\.self) {
                let xml = Self.metadata.replacing(
                    #"<EntityContainer Name="Container">"#,
                    with:
                        #"<EntityContainer Name="Container"><Annotation Term="Org.OData.Core.V1.ODataVersions" String="4.01"/>"#
                )
                return Self.reply(xml, type: "application/xml")
            }
            return Self.answer(request.path ?? "") ?? TransportResponse(head: HTTPResponse(status: .notFound), body: [])
        }
        let (store, client) = try await clone(transport)
        try await store.write { _ = try $0.update(Key([.integer(2)]), ["Name": .string("Toast")], in: "Products") }
        let engine = SyncEngine(store: store, client: client, options: Device.options)
        await #expect { try await engine.sync() } throws: { ($0 as? SyncError)?.code == .olderProtocol }
        #expect(transport.sent.allSatisfy { $0.body.isEmpty })
        #expect(try store.status().pendingTransactions == 1)
        // Once the service says so, the change is sent in 4.01, by PATCH.
        says.withLock { $0 = true }
        await #expect { try await engine.sync() } throws: { ($0 as? ClientError)?.code == .notFound }
        let sent = try #require(transport.sent.last)
        #expect(sent.request.path == "/svc/$batch" && sent.request.headerFields[.odataVersion] == "4.01")
        #expect(String(decoding: sent.body, as: UTF8.self).contains(#""method":"patch","url":"Products(2)""#))
    }

    @Test(.covers("OD-1.7.20"))
    func `what the service says that it cannot do is not asked of it`() async throws {
        let restrictions = [("Insert", "Insertable"), ("Update", "Updatable"), ("Delete", "Deletable")].map {
            term,
            flag in
            "<Annotation Term=\"Org.OData.Capabilities.V1.\(term)Restrictions\"><Record>"
                + "<PropertyValue Property=\"\(flag)\" Bool=\"false\"/></Record></Annotation>"
        }
        let xml = Self.metadata.replacing(
            #"EntityType="Demo.Product"/>"#,
            with: #"EntityType="Demo.Product">"# + restrictions.joined() + "</EntitySet>"
        )
        let transport = RecordingTransport { request, _ in
            if request.path == "/svc/$metadata" { return Self.reply(xml, type: "application/xml") }
            return Self.answer(request.path ?? "") ?? TransportResponse(head: HTTPResponse(status: .notFound), body: [])
        }
        let (store, client) = try await clone(transport)
        await #expect(throws: LocalStoreError.self) {
            try await store.write { _ = try $0.insert(["ID": .integer(9)], into: "Products") }
        }
        await #expect(throws: LocalStoreError.self) {
            try await store.write { _ = try $0.update(Key([.integer(2)]), ["Name": .null], in: "Products") }
        }
        await #expect(throws: LocalStoreError.self) {
            try await store.write { _ = try $0.delete(Key([.integer(2)]), in: "Products") }
        }
        // Nothing waits, so nothing will ever be sent.
        _ = try await SyncEngine(store: store, client: client, options: Device.options).sync()
        #expect(try store.status().pendingTransactions == 0)
        #expect(transport.sent.allSatisfy { $0.body.isEmpty })
    }
}

/// What a device says to a service of 4.01, read against the names of the standard and of the metadata.
@Suite(.serialized)
struct DeviceRequestsTests {
    private static let options: Set = [
        "$filter", "$select", "$expand", "$orderby", "$top", "$skip", "$count", "$search", "$format", "$compute",
        "$skiptoken", "$deltatoken",
    ]

    @Test(.covers("OD-1.7.7", "OD-1.7.8", "OD-1.7.9", "OD-1.7.17", "OD-1.7.2"))
    func `options keep their dollar sign, names their letter case, and updates are PATCH`() async throws {
        let world = try World()
        let transport = RecordingTransport(ServiceTransport(world.service))
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let client = ODataClient(session: session)
        let cloner = StoreCloner(client: client, options: Device.options)
        let (store, _) = try await cloner.clone(
            to: world.folder + "/letters.tideline",
            // As a person may write it: services of 4.0 take lower case alone.
            requests: [
                SubscriptionRequest(parsing: "Parents?$filter=Amount GE 20 AND Not STARTSWITH(Name,'x')"),
                SubscriptionRequest(set: "Products"),
            ]
        )
        try await store.write {
            _ = try $0.update(Key([.integer(2)]), ["Name": .string("zwei")], in: "Parents")
            _ = try $0.insert(["Code": .string("P9"), "Rank": .integer(9)], into: "Products")
            _ = try $0.delete(Key([.string("P3")]), in: "Products")
        }
        _ = try await SyncEngine(store: store, client: client, options: Device.options).sync()
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 2") == ["zwei"])

        let queries = transport.sent.compactMap(\.request.path).filter { $0.contains("?") }
        #expect(!queries.isEmpty)
        for query in queries {
            let parameters = query.drop { $0 != "?" }.dropFirst().split(separator: "&")
            for parameter in parameters {
                #expect(Self.options.contains(String(parameter.prefix { $0 != "=" })), "\(query)")
            }
        }
        let filter = try #require(queries.first { $0.contains("$filter=") })
        #expect(filter == "/odata/test/Parents?$filter=Amount%20ge%2020%20and%20not%20startswith(Name,'x')&$count=true")
        // Paths name sets as the metadata does.
        let known: Set = ["", "$metadata", "$batch", "Parents", "Products", "Children"]
        for exchange in transport.sent {
            let path = (exchange.request.path ?? "").dropFirst("/odata/test/".count)
            #expect(known.contains(String(path.prefix { $0 != "?" && $0 != "(" })), "\(path)")
        }
        let batches = transport.sent.filter { $0.request.path == "/odata/test/$batch" }
        let text = batches.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(text.contains(#""method":"patch","url":"Parents(2)""#))
        #expect(text.contains(#""method":"post","url":"Products""#))
        #expect(text.contains(#""method":"delete","url":"Products('P3')""#))
        #expect(!text.contains(#""method":"put""#) && !text.contains("merge"))
        for batch in batches {
            #expect(batch.request.headerFields[.odataVersion] == "4.01")
            #expect(batch.request.headerFields[.contentType] == "application/json")
        }
    }
}

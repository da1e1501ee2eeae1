// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline

/// A store that an app made with no server gets one by the tool.
@Suite(.serialized)
struct AttachTests {
    /// Makes a store of customers and their orders with a customer and an order of hers in it.
    ///
    /// - Parameter city: the property of a customer that the service may have.
    private func makeStore(_ file: String, city: String = "City") throws {
        func counted(_ wire: String) -> Property {
            Property(names: Names(wire: wire), type: .int32, isNullable: false, generation: .onInsert)
        }
        func text(_ wire: String, isNullable: Bool = true) -> Property {
            Property(names: Names(wire: wire), type: .string, isNullable: isNullable)
        }
        let customer = EntityType(
            names: Names(wire: "Customer"),
            properties: [counted("Id"), text("Name", isNullable: false), text(city)],
            key: [0]
        )
        let order = EntityType(
            names: Names(wire: "Order"),
            properties: [
                counted("Id"), Property(names: Names(wire: "CustomerId"), type: .int32, isNullable: false),
                text("Note"),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Customer"),
                    targetSet: "Customers",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 1, target: 0)]
                )
            ]
        )
        let model = EntityModel(
            namespace: "App",
            sets: [
                EntitySet(names: Names(wire: "Customers"), type: customer),
                EntitySet(names: Names(wire: "Orders"), type: order),
            ]
        )
        let store = try LocalStore.create(path: file, model: model)
        try store.write { transaction in
            let key = try transaction.insert(["Name": .string("Edsger"), city: .string("Austin")], into: "Customers")
            try transaction.insert(["CustomerId": key.values[0], "Note": .string("own")], into: "Orders")
        }
        try store.close()
    }

    private func query(_ file: String, _ query: String, _ tool: Tool) throws -> [[String: JSON]] {
        try tool.succeed("query", file, query, "--json").lines.map {
            try JSONDecoder().decode([String: JSON].self, from: Data($0.utf8))
        }
    }

    @Test func `a store without a server is attached, and its rows and the service's are in both`() throws {
        let shop = try Shop()
        let file = shop.folder.file("app.tideline")
        try makeStore(file)
        let tool = Tool(home: shop.folder.file("home"))
        let attached = try tool.succeed("attach", file, shop.service, "--json")
        let report = try JSONDecoder().decode([String: JSON].self, from: Data(attached.output.utf8))
        #expect(Set(report.keys) == ["sent", "received", "conflicts", "quarantined"])
        #expect(report["conflicts"] == 0)
        #expect(report["quarantined"] == 0)
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Name = 'Edsger'") == ["Austin"])
        #expect(try shop.database.integer("SELECT CustomerId FROM Orders WHERE Note = 'own'") == 4)
        let names = try query(file, "Customers?$orderby=Id", tool).map { $0["Name"] }
        #expect(names == ["Ada", "Grace", "Alan", "Edsger"])
        #expect(try query(file, "Orders?$filter=Note eq 'own'", tool).map { $0["CustomerId"] } == [4])
        try tool.succeed("verify", file)
        // Once more is a sync.
        try tool.succeed("update", file, "Customers", "4", #"{"City":"Nuenen"}"#)
        try tool.succeed("attach", file, shop.service)
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 4") == ["Nuenen"])
        let elsewhere = try tool.run("attach", file, "http://127.0.0.1:9/odata/shop/")
        #expect(elsewhere.status == 1)
        #expect(elsewhere.errors.contains("The store belongs to \(shop.service) already."), "\(elsewhere)")
        #expect(elsewhere.errors.contains("tideline move \(file) http://127.0.0.1:9/odata/shop/"), "\(elsewhere)")
    }

    @Test func `a store whose model the service does not have says what differs, and stays as it was`() throws {
        let shop = try Shop()
        let file = shop.folder.file("app.tideline")
        try makeStore(file, city: "Town")
        let tool = Tool(home: shop.folder.file("home"))
        let refused = try tool.run("attach", file, shop.service)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("\(file) cannot be attached to \(shop.service)."), "\(refused)")
        #expect(refused.errors.contains("The service has no Customers.Town."), "\(refused)")
        #expect(refused.errors.contains("tideline help create"), "\(refused)")
        let status = try tool.succeed("status", file, "--json")
        #expect(status.output.contains(#""service":null"#), "\(status)")
        #expect(try shop.database.integer("SELECT COUNT(*) FROM Customers") == 3)
    }
}

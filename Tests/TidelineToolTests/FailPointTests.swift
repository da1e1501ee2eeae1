// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The process is killed at a named place; a sync that is repeated completes, nothing doubled, nothing lost.
@Suite(.serialized)
struct FailPointTests {
    private static let killed: Int32 = 128 + 9

    /// Edits of every kind on a device, and a change by somebody else.
    private func edit(_ device: Device, _ shop: Shop) throws {
        try device.insert("Customers", #"{"Name":"Edsger"}"#)
        try device.insert("Customers", #"{"Name":"Barbara"}"#)
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        try device.delete("Orders", "3")
        try shop.database.execute("UPDATE Customers SET City = 'Bath' WHERE Id = 3")
        try shop.database.execute("INSERT INTO Seats VALUES ('E', 5, 'Tim')")
    }

    /// What the edits come to, on the server and on a device.
    private func check(_ device: Device, _ shop: Shop) throws {
        try device.verify()
        #expect(
            try shop.database.texts("SELECT Name FROM Customers ORDER BY Name")
                == ["Ada", "Alan", "Barbara", "Edsger", "Grace"]
        )
        #expect(
            try shop.database.texts("SELECT City FROM Customers WHERE Id IN (1, 3) ORDER BY Id") == ["Paris", "Bath"]
        )
        #expect(try shop.database.integer("SELECT count(*) FROM Orders") == 2)
        #expect(
            try device.values(of: "Name", in: "Customers?$orderby=Name") == [
                "Ada", "Alan", "Barbara", "Edsger", "Grace",
            ]
        )
        #expect(try device.values(of: "Code", in: "Seats?$orderby=Code") == ["A", "B", "C", "E"])
    }

    @Test(arguments: [
        "push.before-request", "push.after-answer", "pull.middle-of-page", "pull.staged", "pull.before-commit",
    ])
    func `a device killed at a fail point is whole after the next sync`(point: String) throws {
        let shop = try Shop()
        let device = try shop.device("a")
        try edit(device, shop)
        let failing = device.failing(at: point)
        let result = try failing.tool.run("sync", device.file)
        #expect(result.status == FailPointTests.killed, "\(point) was not reached\n\(result)")
        try device.sync()
        try check(device, shop)
    }

    @Test(arguments: ["server.before-commit", "server.after-commit"])
    func `a server killed at a fail point has applied each transaction once after the next sync`(point: String) throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        let data = folder.file("data")
        try Tool(home: folder.path).succeed(
            "publish",
            "sqlite:" + database.path,
            "--data",
            data,
            "--domain",
            "shop",
            "--open"
        )
        let first = try ServerProcess(data: data, environment: ["TIDELINE_FAIL_POINT": point + ":2"])
        let device = try Device("a", of: first.address + "/odata/shop/", in: folder)
        try device.insert("Customers", #"{"Name":"Edsger"}"#)
        try device.insert("Customers", #"{"Name":"Barbara"}"#)
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        #expect(try device.tool.run("sync", device.file).status != 0)
        first.waitForEnd()
        let second = try ServerProcess(data: data, port: first.port)
        try device.sync()
        try device.verify()
        #expect(
            try database.texts("SELECT Name FROM Customers ORDER BY Name")
                == ["Ada", "Alan", "Barbara", "Edsger", "Grace"]
        )
        #expect(try database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
        #expect(second.stop() == 0)
    }

    @Test(arguments: ["pull.middle-of-page", "pull.staged", "pull.before-commit"])
    func `a clone that is killed can be made again`(point: String) throws {
        let shop = try Shop()
        let home = shop.folder.file("home")
        let file = shop.folder.file("a.store")
        let result = try Tool(home: home, environment: ["TIDELINE_FAIL_POINT": point]).run("clone", shop.service, file)
        #expect(result.status == FailPointTests.killed, "\(point) was not reached\n\(result)")
        let device = try Device("a", of: shop.service, in: shop.folder)
        try device.verify()
        #expect(try device.values(of: "Name", in: "Customers?$orderby=Name") == ["Ada", "Alan", "Grace"])
    }
}
